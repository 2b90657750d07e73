# The code blocks of README.md, docs/ and examples/ as programs, compiled and run by tests (docs/tools/code_blocks.py says
# how they are made). Compiled without optimisation, since most run for milliseconds.
find_package(Python3 COMPONENTS Interpreter QUIET)
if(NOT Python3_Interpreter_FOUND)
  message(STATUS "The code blocks of the documentation are not tested: python3 was not found.")
  return()
endif()

file(GLOB_RECURSE pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/examples/*.md)
list(PREPEND pages ${PROJECT_SOURCE_DIR}/README.md)
set(blocks ${CMAKE_CURRENT_BINARY_DIR}/blocks)
set(tools ${CMAKE_CURRENT_SOURCE_DIR}/tools)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages} ${tools}/code_blocks.py)
execute_process(COMMAND ${Python3_EXECUTABLE} ${tools}/code_blocks.py --root ${PROJECT_SOURCE_DIR} --output ${blocks} ${pages}
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "The code blocks of the documentation cannot be read; the page and line are above.")
endif()

# All programs share the precompiled header of this one, which holds the whole library.
file(CONFIGURE OUTPUT ${blocks}/docs_header.cpp CONTENT "")
add_library(docs_header OBJECT ${blocks}/docs_header.cpp)
# docs_options(target): those of the library without its warnings, which a short piece of code need not heed.
function(docs_options target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -O0 -g0 -Wall -Wno-unused -Wno-unused-but-set-variable)
  target_compile_definitions(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:BOOST_UBLAS_NDEBUG>)
endfunction()
docs_options(docs_header)
target_link_libraries(docs_header PRIVATE Delassus::kernel)
target_precompile_headers(docs_header PRIVATE <delassus/delassus.hpp>)

# All of them: cmake --build … --target code_blocks.
add_custom_target(code_blocks)

# What stands behind a test of a page: docs_test(name page command...).
function(docs_test name page)
  add_test(NAME docs.${name} COMMAND ${Python3_EXECUTABLE} ${tools}/run_program.py ${ARGN})
  # The programs of a page share a folder, where a later one may read what an earlier one has written.
  set_tests_properties(docs.${name} PROPERTIES LABELS docs TIMEOUT 120 SKIP_RETURN_CODE 77 RESOURCE_LOCK docs.${page})
endfunction()

# docs_programs(component sources...): one program for all of a component, which runs the one that its argument names.
function(docs_programs component)
  if(NOT TARGET Delassus::${component})
    message(STATUS "The code blocks of the documentation that need Delassus::${component} are not tested.")
    return()
  endif()
  list(TRANSFORM ARGN PREPEND ${blocks}/)
  add_executable(docs_${component} ${ARGN})
  docs_options(docs_${component})
  target_link_libraries(docs_${component} PRIVATE Delassus::${component})
  target_precompile_headers(docs_${component} REUSE_FROM docs_header)
  add_dependencies(code_blocks docs_${component})
endfunction()

# docs_program(name component): the test of a program.
function(docs_program name component)
  if(NOT TARGET docs_${component})
    return()
  endif()
  string(REGEX REPLACE "\\..*" "" page ${name})
  set(expected)
  if(EXISTS ${blocks}/${name}.output)
    set(expected --expected ${blocks}/${name}.output)
  endif()
  docs_test(${name} ${page} ${expected} ${CMAKE_CURRENT_BINARY_DIR}/run/${page} $<TARGET_FILE:docs_${component}> ${name})
  set_tests_properties(docs.${name} PROPERTIES FIXTURES_SETUP docs.${name})
endfunction()

# docs_script(language file page programs...): the Python or gnuplot of a page, after its programs.
# The scripts read recordings.
delassus_python_with(interpreter_of_python h5py)
if(NOT interpreter_of_python)
  set(interpreter_of_python ${Python3_EXECUTABLE})
endif()
find_program(GNUPLOT gnuplot)
set(interpreter_of_gnuplot ${GNUPLOT})
function(docs_script language file page)
  if(NOT interpreter_of_${language})
    message(STATUS "Not tested in the documentation: ${file}, since ${language} was not found.")
    return()
  endif()
  list(TRANSFORM ARGN PREPEND docs. OUTPUT_VARIABLE programs)
  docs_test(${page}.${language} ${page} ${CMAKE_CURRENT_BINARY_DIR}/run/${page} ${interpreter_of_${language}} ${blocks}/${file})
  set_tests_properties(docs.${page}.${language} PROPERTIES FIXTURES_REQUIRED "${programs}")
endfunction()

include(${blocks}/programs.cmake)
add_test(NAME docs.code_blocks COMMAND ${Python3_EXECUTABLE} ${tools}/code_blocks.py --root ${PROJECT_SOURCE_DIR} ${pages})
set_tests_properties(docs.code_blocks PROPERTIES LABELS docs)
