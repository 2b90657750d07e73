# Has the example PROGRAM save the one-step problem of a last step, in the folder WORK, and SOLVER solve it; REFUSING is
# a program whose run with the method "event-driven" has none.
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${PROGRAM} --end 0.01 --output ${WORK} --save-problem last.dat
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE errors)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${result}: ${errors}")
endif()
if(SOLVER)
  execute_process(COMMAND ${SOLVER} --json ${WORK}/last.dat RESULT_VARIABLE result OUTPUT_VARIABLE output)
  string(JSON class GET "${output}" 0 class)
  if(NOT result EQUAL 0 OR NOT class STREQUAL "friction_3d")
    message(FATAL_ERROR "${result}: ${output}")
  endif()
endif()

execute_process(COMMAND ${REFUSING} --method event-driven --end 0.01 --output ${WORK} --save-problem last.dat
  RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE errors)
if(result EQUAL 0 OR NOT errors MATCHES "--save-problem: this run is not by time stepping")
  message(FATAL_ERROR "${result}: ${errors}")
endif()
