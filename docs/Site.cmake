# The site: pages by Sphinx, the API by Doxygen, without any file from elsewhere. Target "site"; index.html is in site/ of the
# build tree. The target "gallery" runs all examples before, whose pictures the site then takes.
find_program(SPHINX_BUILD sphinx-build)
find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT SPHINX_BUILD OR NOT Python3_Interpreter_FOUND)
  message(STATUS "The site of the documentation is not built or tested: sphinx-build (Debian: python3-sphinx) was not found.")
  return()
endif()
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/probe/index.rst "Is MyST here?\n=============\n")
execute_process(COMMAND ${SPHINX_BUILD} -q -b dummy -C -D extensions=myst_parser -D root_doc=index
    ${CMAKE_CURRENT_BINARY_DIR}/probe ${CMAKE_CURRENT_BINARY_DIR}/probe/output
  RESULT_VARIABLE no_myst OUTPUT_QUIET ERROR_QUIET)
if(no_myst)
  message(STATUS "The site of the documentation is not built or tested: MyST (Debian: python3-myst-parser) was not found.")
  return()
endif()

set(site ${PROJECT_BINARY_DIR}/site)
set(tools ${CMAKE_CURRENT_SOURCE_DIR}/tools)
set(stage ${Python3_EXECUTABLE} ${tools}/stage_site.py --root ${PROJECT_SOURCE_DIR})
set(sphinx ${CMAKE_COMMAND} -E env DELASSUS_VERSION=${PROJECT_VERSION}
  ${SPHINX_BUILD} -q -W --keep-going -b html -c ${CMAKE_CURRENT_SOURCE_DIR}/site)
set(sources ${CMAKE_CURRENT_BINARY_DIR}/site_sources)
set(gallery ${CMAKE_CURRENT_BINARY_DIR}/gallery)

if(DOXYGEN_FOUND)
  configure_file(site/Doxyfile.in ${CMAKE_CURRENT_BINARY_DIR}/site_api/Doxyfile @ONLY)
  set(api COMMAND ${CMAKE_COMMAND} -E make_directory ${site} COMMAND Doxygen::doxygen ${CMAKE_CURRENT_BINARY_DIR}/site_api/Doxyfile)
endif()
add_custom_target(site
  ${api}
  COMMAND ${stage} --output ${sources} --pictures ${gallery}/pictures --tags ${CMAKE_CURRENT_BINARY_DIR}/api.tag
  COMMAND ${sphinx} -d ${CMAKE_CURRENT_BINARY_DIR}/site_doctrees ${sources} ${site}
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/site/index.html ${site}/index.html
  COMMAND ${CMAKE_COMMAND} -E echo "The site: ${site}/index.html"
  VERBATIM)

if(DELASSUS_BUILD_EXAMPLES)
  add_custom_target(gallery COMMAND ${Python3_EXECUTABLE} ${tools}/gallery.py --root ${PROJECT_SOURCE_DIR}
      --programs ${PROJECT_BINARY_DIR}/examples --run ${gallery}
    USES_TERMINAL VERBATIM)
  get_property(examples DIRECTORY ${PROJECT_SOURCE_DIR}/examples PROPERTY BUILDSYSTEM_TARGETS)
  add_dependencies(gallery ${examples})
endif()

if(DELASSUS_BUILD_TESTS)
  # A link or picture that is not there is an error.
  add_test(NAME docs.site COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target site)
  add_test(NAME docs.site_is_self_contained COMMAND ${Python3_EXECUTABLE} ${tools}/check_site.py ${site})
  add_test(NAME docs.gallery_lists_all_examples
    COMMAND ${Python3_EXECUTABLE} ${tools}/gallery.py --root ${PROJECT_SOURCE_DIR} --check)
  set_tests_properties(docs.site PROPERTIES FIXTURES_SETUP docs.site)
  set_tests_properties(docs.site_is_self_contained PROPERTIES FIXTURES_REQUIRED docs.site)
  set_tests_properties(docs.site docs.site_is_self_contained docs.gallery_lists_all_examples PROPERTIES LABELS docs)
endif()
