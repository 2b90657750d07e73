# What scripts that run whole programs over ranks share.

# Runs a command under mpirun on three ranks, waits as the shell says (`$job` is mpirun), and kills the newest process of
# that pattern; the others must end by themselves.
function(kill_a_rank command wait pattern)
  string(REPLACE ";" " " command "${command}")
  execute_process(COMMAND sh -c "${MPIEXEC} -n 3 ${command} & job=$!; ${wait}; pkill -KILL -n -f '${pattern}'; wait $job"
    RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE errors TIMEOUT 60)
  if(result EQUAL 0)
    message(STATUS "the run had ended before a rank was killed")
  elseif(NOT result MATCHES "^[0-9]+$")
    message(FATAL_ERROR "the other ranks did not end (${result})")
  endif()
endfunction()

# Runs a command on three ranks that must fail and say this once.
function(expect_one_refusal pattern)
  execute_process(COMMAND ${MPIEXEC} -n 3 ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE errors)
  string(REGEX MATCHALL "${pattern}" found "${errors}")
  list(LENGTH found count)
  if(result EQUAL 0 OR NOT count EQUAL 1)
    message(FATAL_ERROR "expected '${pattern}' once and a failure, got (${result}): ${errors}")
  endif()
endfunction()
