# Sources made by the build: the studies as C arrays, and the commit for the one file that tells it.
file(GLOB HF_STUDIES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/studies/*.yaml)
set(HF_EMBEDDED_STUDIES ${PROJECT_BINARY_DIR}/embedded_studies.c)
add_custom_command(
  OUTPUT ${HF_EMBEDDED_STUDIES}
  COMMAND ${CMAKE_COMMAND} -D OUTPUT=${HF_EMBEDDED_STUDIES} -D "STUDIES=${HF_STUDIES}"
          -P ${PROJECT_SOURCE_DIR}/cmake/EmbedStudies.cmake
  DEPENDS ${HF_STUDIES} ${PROJECT_SOURCE_DIR}/cmake/EmbedStudies.cmake
  VERBATIM)

# Runs in every build, writes only when the commit changed, so that nothing is compiled again without need.
set(HF_COMMIT_HEADER ${PROJECT_BINARY_DIR}/commit.h)
add_custom_target(holdfast_commit
  COMMAND ${CMAKE_COMMAND} -D OUTPUT=${HF_COMMIT_HEADER} -D SOURCE=${PROJECT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/Commit.cmake
  BYPRODUCTS ${HF_COMMIT_HEADER}
  VERBATIM)
if(EXISTS ${PROJECT_SOURCE_DIR}/src/store/program.c)
  string(TOLOWER "${CMAKE_C_COMPILER_ID}" HF_COMPILER_NAME)
  string(REPLACE "gnu" "gcc" HF_COMPILER_NAME "${HF_COMPILER_NAME}")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/store/program.c PROPERTIES
    COMPILE_DEFINITIONS "HF_VERSION=\"${PROJECT_VERSION}\";HF_COMPILER=\"${HF_COMPILER_NAME} ${CMAKE_C_COMPILER_VERSION}\""
    COMPILE_OPTIONS "-include;${HF_COMMIT_HEADER}"
    OBJECT_DEPENDS ${HF_COMMIT_HEADER})
endif()
