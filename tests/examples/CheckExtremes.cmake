# Runs the example PROGRAM with an extreme value of each of its options that take real numbers, in the folder WORK. Each
# run has to end by itself, with results or a message, or to end after SIGTERM: a loop that does not is found here.
cmake_minimum_required(VERSION 3.22)
find_program(TIMEOUT timeout)
if(NOT TIMEOUT)
  message("SKIPPED: there is no program timeout")
  return()
endif()
execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "--[a-z0-9-]+ FLOAT[^\n]*" lines "${help}")
set(index 0)
foreach(line IN LISTS lines)
  string(REGEX MATCH "^--[a-z0-9-]+" option "${line}")
  # The same for all examples; vectors have their own checks.
  if(line MATCHES " x 3" OR (option MATCHES "checkpoint-every|stop-after|vtk-interval" AND NOT PROGRAM MATCHES "bouncing_ball"))
    continue()
  endif()
  # In turns, so that the whole takes no longer than half of a minute.
  math(EXPR turn "${index} % 3")
  math(EXPR index "${index} + 1")
  set(values 1e60 1e-60 -1)
  list(GET values ${turn} value)
  file(REMOVE_RECURSE ${WORK})
  execute_process(COMMAND ${TIMEOUT} --signal=TERM --kill-after=10 0.25 ${PROGRAM} ${option}=${value} --output ${WORK}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  # 124: it was told to end and did; 10x: the command line was refused.
  if(NOT result MATCHES "^(0|1|10[0-9]|124)$")
    message(FATAL_ERROR "${option}=${value}: ended with ${result}\n${output}${errors}")
  endif()
endforeach()
file(REMOVE_RECURSE ${WORK})
message(STATUS "${index} runs")
