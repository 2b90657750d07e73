# What the libraries themselves need.
# Boost's own package configuration, where CMake has given up its module.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)
endif()
find_package(Boost 1.81 REQUIRED COMPONENTS serialization)
find_package(LAPACKE REQUIRED)
find_package(CHOLMOD REQUIRED)
find_package(UMFPACK REQUIRED)
find_package(HDF5C REQUIRED)
find_package(Sundials 6.0...<7 REQUIRED)
