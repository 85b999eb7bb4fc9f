# What every C file of the project is compiled with.
add_library(hf_build INTERFACE)
target_include_directories(hf_build INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_include_directories(hf_build SYSTEM INTERFACE ${HF_RANDOM123_INCLUDE})
target_compile_definitions(hf_build INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(hf_build INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
                       -Wconversion -Wno-sign-conversion $<$<BOOL:${HOLDFAST_WERROR}>:-Werror>)
if(HOLDFAST_SANITIZE)
  target_compile_options(hf_build INTERFACE -fsanitize=${HOLDFAST_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(hf_build INTERFACE -fsanitize=${HOLDFAST_SANITIZE})
endif()
if(HOLDFAST_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "HOLDFAST_FUZZ needs clang; the compiler is ${CMAKE_C_COMPILER_ID}")
  endif()
  # How deep the stack is depends on where it starts: as a feature it would make two runs of one seed differ.
  target_compile_options(hf_build INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-coverage=stack-depth)
endif()

# madvise() is not of POSIX.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/pages.c PROPERTIES COMPILE_DEFINITIONS _DEFAULT_SOURCE)
