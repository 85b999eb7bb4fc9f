# The target `report`: the report of the committed results in build/.../report, as a site and, where latexmk is there, as report.pdf.
# Where the page has been built (Page.cmake), it is explorer.html there, which the site links.
find_program(HF_LATEXMK latexmk)
set(HF_REPORT ${PROJECT_BINARY_DIR}/report)
add_custom_target(report
  COMMAND sh -c "mkdir -p '${HF_REPORT}' && { test ! -f '${PROJECT_BINARY_DIR}/page/page.html' || cp '${PROJECT_BINARY_DIR}/page/page.html' '${HF_REPORT}/explorer.html'; }"
  COMMAND holdfast report --output-dir ${HF_REPORT}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "the report of results/ in ${HF_REPORT}"
  VERBATIM)
if(HF_LATEXMK)
  add_custom_command(TARGET report POST_BUILD
    COMMAND ${HF_LATEXMK} -pdf -silent -halt-on-error report.tex
    WORKING_DIRECTORY ${HF_REPORT}
    VERBATIM)
endif()
