# SPDX-License-Identifier: Apache-2.0
# delassus_python_with(variable module): sets the variable to the Python that has the module, empty where there is none.
# Debian's packages of modules belong to Debian's Python, which need not be the first in the path.
function(delassus_python_with variable module)
  set(${variable} "" PARENT_SCOPE)
  foreach(python python3 /usr/bin/python3)
    execute_process(COMMAND ${python} -c "import ${module}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed EQUAL 0)
      set(${variable} ${python} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
