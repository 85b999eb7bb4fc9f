# The page (report/page): the library as WebAssembly, the studies and the explorer in one file of HTML. `cmake --build . --target page`
# needs the tools that tools/install-deps installs, and the registry of npm for the libraries of the page.
set(HF_PAGE ${PROJECT_BINARY_DIR}/page)
find_program(HF_NODE node)
find_program(HF_NPM npm)
find_program(HF_WASM_LINKER NAMES wasm-ld-14 wasm-ld)
find_path(HF_WASM_LIBC wasm32-wasi/stdio.h PATHS /usr/include)
if(NOT (HF_NODE AND HF_NPM AND HF_WASM_LINKER AND HF_WASM_LIBC))
  add_custom_target(page
    COMMAND ${CMAKE_COMMAND} -E echo "The page needs node, npm, clang, lld, wasi-libc and libclang-rt-14-dev-wasm32; tools/install-deps installs them, then configure anew."
    COMMAND ${CMAKE_COMMAND} -E false
    VERBATIM)
  return()
endif()

# Its own project, as it has another compiler. It is looked at in every build, and compiles what changed.
set(HF_WASM_OPTIONS -D CMAKE_TOOLCHAIN_FILE=${PROJECT_SOURCE_DIR}/report/page/wasm/toolchain.cmake -D HF_IDENTITY_HEADER=${HF_IDENTITY_HEADER}
                    -D HF_VERSION=${PROJECT_VERSION} -D CMAKE_BUILD_TYPE=None)
add_custom_target(page_library
  COMMAND ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${PROJECT_SOURCE_DIR}/report/page/wasm -B ${HF_PAGE}/wasm ${HF_WASM_OPTIONS}
  COMMAND ${CMAKE_COMMAND} --build ${HF_PAGE}/wasm
  BYPRODUCTS ${HF_PAGE}/wasm/holdfast.wasm
  VERBATIM USES_TERMINAL)
add_dependencies(page_library holdfast_commit)

file(GLOB_RECURSE HF_PAGE_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/report/page/src/*)
set(HF_PAGE_FILES package.json package-lock.json build.mjs)
list(TRANSFORM HF_PAGE_FILES PREPEND ${PROJECT_SOURCE_DIR}/report/page/)
add_custom_command(
  OUTPUT ${HF_PAGE}/node_modules/.package-lock.json
  COMMAND ${CMAKE_COMMAND} -E make_directory ${HF_PAGE}
  COMMAND ${CMAKE_COMMAND} -E copy ${HF_PAGE_FILES} ${HF_PAGE}
  COMMAND ${CMAKE_COMMAND} -E chdir ${HF_PAGE} ${HF_NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${HF_PAGE}/node_modules/.package-lock.json
  DEPENDS ${PROJECT_SOURCE_DIR}/report/page/package-lock.json
  VERBATIM)
file(GLOB HF_PAGE_RESULTS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/results/*.csv ${PROJECT_SOURCE_DIR}/results/*.txt)
add_custom_command(
  OUTPUT ${HF_PAGE}/page.html
  COMMAND ${CMAKE_COMMAND} -E copy ${HF_PAGE_FILES} ${HF_PAGE}
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/report/page/src ${HF_PAGE}/src
  COMMAND ${HF_NODE} ${HF_PAGE}/build.mjs $<TARGET_FILE:holdfast> ${HF_PAGE}/wasm/holdfast.wasm ${PROJECT_SOURCE_DIR}/results ${HF_PAGE}/page.html
  DEPENDS ${HF_PAGE}/node_modules/.package-lock.json ${HF_PAGE}/wasm/holdfast.wasm holdfast ${HF_PAGE_SOURCES} ${HF_PAGE_FILES} ${HF_PAGE_RESULTS}
  COMMENT "the page in ${HF_PAGE}/page.html"
  VERBATIM)
add_custom_target(page DEPENDS ${HF_PAGE}/page.html)
add_dependencies(page page_library)
