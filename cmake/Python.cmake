# The Python package (python/): installed beside the library, and as a wheel that has the library within.
# Debian's own Python, which has pandas, before one that a user has put into the path.
find_program(Python3_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_package(Python3 COMPONENTS Interpreter)

# Where Debian's Python looks: below /usr one folder for all versions, elsewhere one a version. It is installed without a Python, too,
# as in an image that builds the package.
set(HF_PYTHON ${PROJECT_SOURCE_DIR}/python/holdfast)
set(HF_PYTHON_LOCAL lib/python3/dist-packages)
if(Python3_FOUND)
  set(HF_PYTHON_LOCAL lib/python${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}/dist-packages)
endif()
install(CODE "
  set(place ${HF_PYTHON_LOCAL})
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr/*$\")
    set(place lib/python3/dist-packages)
  endif()
  file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/\${place}\" TYPE DIRECTORY FILES \"${HF_PYTHON}\"
       PATTERN __pycache__ EXCLUDE)")
if(NOT Python3_FOUND)
  return()
endif()

set(HF_WHEEL ${PROJECT_BINARY_DIR}/wheel)
add_custom_target(wheel
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${HF_WHEEL}
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/python ${HF_WHEEL}
  COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:holdfast_shared> ${HF_WHEEL}/holdfast/$<TARGET_SONAME_FILE_NAME:holdfast_shared>
  COMMAND ${CMAKE_COMMAND} -E chdir ${HF_WHEEL} ${CMAKE_COMMAND} -E env HOLDFAST_VERSION=${PROJECT_VERSION} ${Python3_EXECUTABLE} setup.py -q bdist_wheel
          --dist-dir ${PROJECT_BINARY_DIR}
  DEPENDS holdfast_shared
  COMMENT "a wheel in ${PROJECT_BINARY_DIR}"
  VERBATIM)
