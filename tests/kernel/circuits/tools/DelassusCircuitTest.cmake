# Runs delassus-circuit (PROGRAM) on small netlists in the folder WORK and checks what it prints, leaves and returns. CASE
# says which of the checks below.
cmake_minimum_required(VERSION 3.22)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

# Mean 10 / pi.
file(WRITE ${WORK}/half.cir "Half wave
V1 in 0 SIN(0 10 50)
D1 in out d
R1 out 0 5
L1 in 0 1
.model d D
.tran 20u 20m
.meas mean AVG V(out)
.meas top MAX V(in,out)
.print V(out) V(in,out) I(D1)
")
file(WRITE ${WORK}/steps.cir "Divider
.param r=1 k=2
V1 a 0 10
R1 a b {r}
R2 b 0 {k}
C1 a 0 1u IC=10
.step param r list 2 8
.step param k 2 8 6
.tran 1m 3m
.meas v AVG V(b)
")
file(WRITE ${WORK}/broken.cir "title\nR1 a 0 1\n\nR2 a 0 {1/0}\n.tran 1m 2m\n")
file(WRITE ${WORK}/loop.cir "title\nR1 a 0 1\nV1 a 0 1\nV2 a 0 2\n.tran 1m 2m\n")
file(WRITE ${WORK}/endless.cir "title\nV1 a 0 1\nR1 a 0 1\nC1 a 0 1 IC=1\n")

# 2 F at 9 V and 1 F at 0 V become 6 V each: 6 C flow at once, and 27 J of 81 J are lost.
file(WRITE ${WORK}/charge.cir "Charge
C1 a 0 2 IC=9
C2 b 0 1
VG g 0 PULSE(0 5 1 0 0 10 20)
S1 a b g 0 sw
.model sw SW(VT=2.5)
.tran 0.3 2 uic
.meas q INTEG I(S1)
")

# circuit(expected_exit_code arguments...): sets output and errors. A code "refused" is that of a wrong command line.
function(circuit code)
  execute_process(COMMAND ${PROGRAM} ${ARGN} WORKING_DIRECTORY ${WORK}
    RESULT_VARIABLE result OUTPUT_VARIABLE stdout ERROR_VARIABLE stderr)
  if(code STREQUAL "refused")
    if(NOT result MATCHES "^1[01][0-9]$")
      message(FATAL_ERROR "exit code ${result}, expected a refusal: ${ARGN}\n${stdout}\n${stderr}")
    endif()
  elseif(NOT result STREQUAL code)
    message(FATAL_ERROR "exit code ${result}, expected ${code}: ${ARGN}\n${stdout}\n${stderr}")
  endif()
  set(output "${stdout}" PARENT_SCOPE)
  set(errors "${stderr}" PARENT_SCOPE)
endfunction()

function(expect_equal actual expected what)
  if(NOT "${actual}" STREQUAL "${expected}")
    message(FATAL_ERROR "${what}: '${actual}', expected '${expected}'")
  endif()
endfunction()

function(expect_match text expression)
  if(NOT "${text}" MATCHES "${expression}")
    message(FATAL_ERROR "expected a match of '${expression}' in:\n${text}")
  endif()
endfunction()

function(expect_file name)
  if(NOT EXISTS ${WORK}/${name})
    message(FATAL_ERROR "${name} was not written")
  endif()
endfunction()

function(expect_rows name count)
  file(STRINGS ${WORK}/${name} lines)
  list(LENGTH lines rows)
  expect_equal(${rows} ${count} "lines of ${name}")
endfunction()

if(CASE STREQUAL "measures")
  circuit(0 half.cir)
  expect_equal("${errors}" "" "standard error")
  expect_match("${output}" "^mean = 3\\.18[0-9]*\ntop = [-0-9.e]+\n$")
  circuit(0 half.cir --json)
  string(JSON count LENGTH "${output}")
  expect_equal(${count} 1 "runs")
  string(JSON steps GET "${output}" 0 steps)
  expect_equal(${steps} 1000 "steps")
  string(JSON mean GET "${output}" 0 measures mean)
  expect_match("${mean}" "^3\\.18")
elseif(CASE STREQUAL "methods")
  circuit(0 half.cir --method event-driven)
  expect_match("${output}" "mean = 3\\.18")
  circuit(0 half.cir --method event-driven --integrator bdf)
  expect_match("${output}" "mean = 3\\.18")
  circuit(0 charge.cir --method event-driven --report)
  expect_match("${output}" "q = 6\n")
  expect_match("${output}" " -45 J .* C1\n")
  expect_match("${output}" " 18 J .* C2\n")
  expect_match("${output}" " 27 J .* S1\n")
  circuit(0 half.cir --theta 0.5 --step 1e-5 --end 40e-3 --json)
  string(JSON steps GET "${output}" 0 steps)
  expect_equal(${steps} 4000 "steps")
elseif(CASE STREQUAL "steps")
  circuit(0 steps.cir --output out.csv)
  foreach(line "r = 2, k = 2:\n  v = 5\n" "r = 8, k = 2:\n  v = 2\n" "r = 2, k = 8:\n  v = 8\n" "r = 8, k = 8:\n  v = 5\n")
    expect_match("${output}" "${line}")
  endforeach()
  foreach(run RANGE 1 4)
    expect_rows(out-${run}.csv 5)
  endforeach()
elseif(CASE STREQUAL "output")
  circuit(0 half.cir --output deep/out.csv)
  expect_rows(deep/out.csv 1002)
  file(STRINGS ${WORK}/deep/out.csv lines LIMIT_COUNT 1)
  expect_match("${lines}" "^t .s.,V.out. .V.,V.in.*out. .V.,I.D1. .A.$")
  circuit(0 half.cir --step 5e-6 --output fine.csv)
  expect_rows(fine.csv 1002)
elseif(CASE STREQUAL "hdf5")
  circuit(0 half.cir --output out.h5)
  expect_file(out.h5)
  # The same numbers under the same names as in a table, read by another library where that is.
  if(PYTHON)
    circuit(0 half.cir --output out.csv)
    file(WRITE ${WORK}/compare.py "
import csv, sys
try:
    import h5py
except ImportError:
    sys.exit(0)
recording = h5py.File('out.h5')
header, *rows = csv.reader(open('out.csv'))
assert len(rows) == 1001, len(rows)
for column, name in enumerate(header):
    values = recording['time' if column == 0 else 'user/' + name.split(' [')[0].replace(chr(59), ',')]
    assert values.shape == (1001,), name
    for row, value in zip(rows, values):
        assert abs(float(row[column]) - value) <= 1e-12 * (1 + abs(value)), (name, row, value)
")
    execute_process(COMMAND ${PYTHON} compare.py WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result ERROR_VARIABLE errors)
    expect_equal("${result}" 0 "exit code of the comparison\n${errors}")
  endif()
elseif(CASE STREQUAL "picture")
  circuit(0 half.cir --output out.csv --picture out.png)
  expect_file(out.png)
  expect_file(out.gp)
  file(SIZE ${WORK}/out.png size)
  if(size LESS 1000)
    message(FATAL_ERROR "the picture has ${size} bytes")
  endif()
elseif(CASE STREQUAL "report")
  circuit(0 half.cir --report)
  expect_match("${output}" "modes: 2,")
  expect_match("${output}" "%  D1\n")
  expect_match("${output}" " W  R1\n")
  expect_match("${output}" "Tellegen: at most .sum v i. = ([0-9.]+e-1[0-9]|0) ")
  # 0.1 J in a period.
  expect_match("${output}" "balance: 0.10001 J supplied .* = 0.1 J lost .* difference -?([0-9.]+e-1[0-9]|0) J")
  circuit(0 half.cir --report --method event-driven)
  expect_match("${output}" "balance: 0.1 J supplied .* = 0.1 J lost .* difference -?([0-9.]+e-1[0-9]|0) J")
elseif(CASE STREQUAL "failures")
  circuit(1 broken.cir)
  expect_match("${errors}" "^delassus-circuit: broken.cir:4: R2: ")
  circuit(1 loop.cir)
  expect_match("${errors}" "^delassus-circuit: loop.cir:4: V2: ")
  circuit(1 endless.cir)
  expect_match("${errors}" "endless.cir: .*--end")
  circuit(1 absent.cir)
  expect_match("${errors}" "absent.cir")
  circuit(1 half.cir --output .)
  circuit(0 half.cir --check)
  expect_equal("${output}" "" "output of --check")
  circuit(1 loop.cir --check)
  if(EXISTS /dev/full)
    execute_process(COMMAND sh -c "\"$1\" half.cir > /dev/full" sh ${PROGRAM} WORKING_DIRECTORY ${WORK}
      RESULT_VARIABLE result ERROR_VARIABLE errors)
    expect_equal(${result} 1 "exit code with a full output")
  endif()
elseif(CASE STREQUAL "mistakes")
  circuit(refused)
  circuit(refused half.cir --method nothing)
  circuit(refused half.cir --step 0)
  circuit(refused half.cir --step nan)
  circuit(refused half.cir --theta 0.2)
  circuit(refused half.cir --picture a.png)
  circuit(refused half.cir --output a.csv --picture a.jpg)
  circuit(refused half.cir --json --report)
  circuit(refused half.cir --nothing)
elseif(CASE STREQUAL "version")
  circuit(0 --version)
  expect_match("${output}" "^delassus-circuit [0-9]")
  circuit(0 --help)
  expect_match("${output}" "--method.*--output.*--report")
else()
  message(FATAL_ERROR "no case '${CASE}'")
endif()
