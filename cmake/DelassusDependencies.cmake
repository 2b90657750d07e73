# What the libraries themselves need. Included by the build and, through the package configuration, by users' projects.
include(CMakeFindDependencyMacro)
find_dependency(Boost 1.81)
find_dependency(LAPACKE)
find_dependency(CHOLMOD)
