# Sources made by the build: studies, templates and documents as C arrays, and the identity of the program for the one file that tells it.
file(GLOB HF_STUDIES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/studies/*.yaml)
file(GLOB HF_TEXTS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/report/*.tex ${PROJECT_SOURCE_DIR}/report/*.html ${PROJECT_SOURCE_DIR}/report/*.css)
list(APPEND HF_TEXTS ${PROJECT_SOURCE_DIR}/docs/findings.md ${PROJECT_SOURCE_DIR}/docs/references.md)
set(HF_EMBEDDED_STUDIES ${PROJECT_BINARY_DIR}/embedded_studies.c)
add_custom_command(
  OUTPUT ${HF_EMBEDDED_STUDIES}
  COMMAND ${CMAKE_COMMAND} -D OUTPUT=${HF_EMBEDDED_STUDIES} -D "STUDIES=${HF_STUDIES}" -D "TEXTS=${HF_TEXTS}"
          -P ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
  DEPENDS ${HF_STUDIES} ${HF_TEXTS} ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
  VERBATIM)

# Runs in every build, writes only when commit or code changed, so that nothing is compiled again without need. What answers may depend on
# besides the sources: the compiler's kind and the user's flags (as -ffast-math), and the libraries that compute for us.
set(HF_IDENTITY_HEADER ${PROJECT_BINARY_DIR}/identity.h)
set(HF_FACTS "${CMAKE_C_COMPILER_ID} ${CMAKE_C_FLAGS}")
foreach(module gmp gsl igraph lua5.4)
  string(APPEND HF_FACTS " ${module} ${HOLDFAST_DEPS_${module}_VERSION}")
endforeach()
file(STRINGS ${HF_GLPK_INCLUDE}/glpk.h HF_GLPK_VERSION REGEX "define GLP_(MAJOR|MINOR)_VERSION")
string(APPEND HF_FACTS " ${HF_GLPK_VERSION}")
add_custom_target(holdfast_commit
  COMMAND ${CMAKE_COMMAND} -D OUTPUT=${HF_IDENTITY_HEADER} -D SOURCE=${PROJECT_SOURCE_DIR} -D "FACTS=${HF_FACTS}"
          -P ${PROJECT_SOURCE_DIR}/cmake/Identity.cmake
  BYPRODUCTS ${HF_IDENTITY_HEADER}
  VERBATIM)
string(TOLOWER "${CMAKE_C_COMPILER_ID}" HF_COMPILER_NAME)
string(REPLACE "gnu" "gcc" HF_COMPILER_NAME "${HF_COMPILER_NAME}")
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/build.c PROPERTIES
  COMPILE_DEFINITIONS "HF_VERSION=\"${PROJECT_VERSION}\";HF_COMPILER=\"${HF_COMPILER_NAME} ${CMAKE_C_COMPILER_VERSION}\""
  COMPILE_OPTIONS "-include;${HF_IDENTITY_HEADER}"
  OBJECT_DEPENDS ${HF_IDENTITY_HEADER})
