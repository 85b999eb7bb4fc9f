# Install: headers, libraries, pkg-config file, CMake package, program, manual, completion, studies, documents.
include(CMakePackageConfigHelpers)
set(HF_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/holdfast)

install(DIRECTORY include/holdfast TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(TARGETS holdfast_static holdfast_shared EXPORT holdfast-targets)
if(TARGET holdfast-mpi)
  install(TARGETS holdfast-mpi)
endif()
install(EXPORT holdfast-targets NAMESPACE holdfast:: DESTINATION ${HF_PACKAGE_DIR})
configure_package_config_file(cmake/holdfast-config.cmake.in ${PROJECT_BINARY_DIR}/holdfast-config.cmake
                              INSTALL_DESTINATION ${HF_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/holdfast-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/holdfast-config.cmake ${PROJECT_BINARY_DIR}/holdfast-config-version.cmake
        DESTINATION ${HF_PACKAGE_DIR})

# What the static library stands on, as words for the linker: a program of the shared one is built where none of it is installed, and
# igraph's own file asks for more than Debian's package brings along.
set(HF_PKGCONFIG_PRIVATE ${HOLDFAST_DEPS_LDFLAGS})
foreach(folder ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES})
  list(REMOVE_ITEM HF_PKGCONFIG_PRIVATE -L${folder})
endforeach()
string(JOIN " " HF_PKGCONFIG_PRIVATE ${HF_PKGCONFIG_PRIVATE})
# Found from where the file lies, so that it follows --prefix and a tree that is moved.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(HF_PKGCONFIG_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" up ${up})
  set(HF_PKGCONFIG_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(place LIBDIR INCLUDEDIR)
  cmake_path(APPEND HF_PKGCONFIG_${place} "\${prefix}" ${CMAKE_INSTALL_${place}})
endforeach()
configure_file(cmake/holdfast.pc.in ${PROJECT_BINARY_DIR}/holdfast.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/holdfast.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY studies/ DESTINATION ${CMAKE_INSTALL_DATADIR}/holdfast/studies OPTIONAL)
# Documents lie as they do here, so that their links lead somewhere.
install(DIRECTORY docs examples TYPE DOC OPTIONAL)
install(FILES README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md LICENSE TYPE DOC OPTIONAL)
install(FILES man/holdfast.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Completion of the shells, and a page of the manual for each command: the program prints them.
if(TARGET holdfast)
  install(TARGETS holdfast holdfast-check)
  set(HF_PRINTED ${PROJECT_BINARY_DIR}/printed)
  add_custom_command(
    OUTPUT ${HF_PRINTED}/done
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:holdfast> -D OUTPUT=${HF_PRINTED} -P ${PROJECT_SOURCE_DIR}/cmake/Printed.cmake
    DEPENDS holdfast ${PROJECT_SOURCE_DIR}/cmake/Printed.cmake
    VERBATIM)
  add_custom_target(holdfast_printed ALL DEPENDS ${HF_PRINTED}/done)
  install(DIRECTORY ${HF_PRINTED}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${HF_PRINTED}/bash RENAME holdfast DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  # Debian's zsh looks into one folder below /usr and into another elsewhere.
  install(CODE "
    set(data \"${CMAKE_INSTALL_DATADIR}\")
    set(place site-functions)
    if(CMAKE_INSTALL_PREFIX MATCHES \"/usr/*$\")
      set(place vendor-completions)
    endif()
    cmake_path(ABSOLUTE_PATH data BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
    file(INSTALL DESTINATION \"\${data}/zsh/\${place}\" TYPE FILE RENAME _holdfast FILES \"${HF_PRINTED}/zsh\")")
  install(FILES ${HF_PRINTED}/fish RENAME holdfast.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# All that is installed, without the tests: what quickstart builds.
add_custom_target(installed DEPENDS holdfast_static holdfast_shared)
foreach(target holdfast holdfast-check holdfast_printed holdfast-mpi)
  if(TARGET ${target})
    add_dependencies(installed ${target})
  endif()
endforeach()
