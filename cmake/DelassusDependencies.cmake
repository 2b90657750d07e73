# What the libraries themselves need.
find_package(Boost 1.81 REQUIRED)
find_package(LAPACKE REQUIRED)
find_package(CHOLMOD REQUIRED)
