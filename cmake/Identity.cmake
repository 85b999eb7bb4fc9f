# Write OUTPUT, a header that says what is built: the commit of the tree SOURCE ("unknown" where git or its repository is missing), and
# the code: a hash over every source of the program, over how it is built (CMakeLists.txt, cmake/), and over FACTS, which the caller
# knows. It needs no git, so that a release from a tarball has the code of the commit that it was made from. What a results store keeps
# is taken over by programs of the same code alone.
cmake_minimum_required(VERSION 3.25)
set(commit unknown)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD
                  OUTPUT_VARIABLE head ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit ${head})
    execute_process(COMMAND ${GIT} -C ${SOURCE} diff --quiet HEAD -- src include cmake CMakeLists.txt RESULT_VARIABLE differs ERROR_QUIET)
    if(differs)
      string(APPEND commit "-dirty")
    endif()
  endif()
endif()

# holdfast-check is a program of its own, which decides nothing that is kept.
file(GLOB_RECURSE sources RELATIVE ${SOURCE} ${SOURCE}/src/*.c ${SOURCE}/src/*.h ${SOURCE}/src/*.def
     ${SOURCE}/include/*.h ${SOURCE}/cmake/*.cmake)
list(FILTER sources EXCLUDE REGEX "^src/check/")
list(APPEND sources CMakeLists.txt)
list(SORT sources)
set(all "${FACTS}\n")
foreach(source IN LISTS sources)
  file(SHA256 ${SOURCE}/${source} hash)
  string(APPEND all "${hash} ${source}\n")
endforeach()
string(SHA256 code "${all}")
string(SUBSTRING ${code} 0 16 code)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define HF_COMMIT \"@commit@\"\n#define HF_CODE \"@code@\"\n" @ONLY)
