# `cpack` in the build directory: a package of Debian with the program, the library, its headers, Python, manual and completion.
set(CPACK_PACKAGE_VENDOR "holdfast maintainers")
set(CPACK_PACKAGE_CONTACT "holdfast maintainers <maintainers@holdfast.invalid>")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Walks through the combinations of failed links and switches of a topology
under a fault-tolerant routing: tolerance, deadlock freedom, load, cost,
and a flit-level kernel that replays what the analysis predicts.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3, python3-pandas, python3-matplotlib")
include(CPack)
