// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// uBLAS, whose iterators derive from std::iterator: compilers warn of its deprecation wherever one is instantiated,
/// unless they were told not to where it stands.

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
#include <boost/numeric/ublas/matrix.hpp>
#include <boost/numeric/ublas/vector.hpp>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
