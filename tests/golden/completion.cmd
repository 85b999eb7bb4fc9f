source <(holdfast completion bash)
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); compopt() { :; }; _holdfast; echo "$* -> ${COMPREPLY[*]}"; }
try holdfast to
try holdfast tolerance --to
try holdfast tolerance --topology ka
try holdfast tolerance --routing ''
try holdfast tolerance --routing ft2ei : ''
try holdfast tolerance --criterion s
try holdfast store ''
try holdfast tolerance --help ''
try holdfast simulate --help r
try holdfast store --help ''
holdfast completion zsh | grep -o ' dor[^ ]*' | sort -u
