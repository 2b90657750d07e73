# SPDX-License-Identifier: Apache-2.0
# Runs an example (PROGRAM with ARGUMENTS, in the folder WORK) with --vtk, draws its scene with RENDERER and the options in the
# file SCENE, and has CheckScene.py look at the picture.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/DelassusPython.cmake)
delassus_python_with(PYTHON "numpy, vtk")
if(NOT PYTHON)
  message("SKIPPED: there is no VTK for Python (Debian: python3-vtk9).")
  return()
endif()
find_program(XVFB_RUN xvfb-run)
if(NOT XVFB_RUN AND "$ENV{DISPLAY}" STREQUAL "")
  message("SKIPPED: there is no display, and no xvfb-run (Debian: xvfb).")
  return()
endif()
file(REMOVE_RECURSE ${WORK})
separate_arguments(arguments UNIX_COMMAND "${ARGUMENTS}")
set(picture ${WORK}/scene.png)
foreach(command
    "${PROGRAM};${arguments};--output;${WORK};--vtk;${WORK}/vtk"
    "${PYTHON};${RENDERER};@${SCENE};--size;300;200;${WORK}/vtk;${picture}"
    "${PYTHON};${CMAKE_CURRENT_LIST_DIR}/CheckScene.py;${picture}")
  execute_process(COMMAND ${command} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "'${command}' failed: ${failed}")
  endif()
endforeach()
