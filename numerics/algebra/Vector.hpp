// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/numeric/ublas/vector.hpp>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace delassus {

/// Dense vector of doubles on uBLAS. The storage is a std::vector, so that elements start at zero
/// and a resize within the capacity does not allocate.
using Vector = boost::numeric::ublas::vector<double, std::vector<double>>;

/// Vector with the listed components.
Vector makeVector(std::initializer_list<double> components);

inline double* data(Vector& v) { return v.data().data(); }
inline const double* data(const Vector& v) { return v.data().data(); }

/// Sets every component to zero.
void setZero(Vector& v);

/// Resizes (keeping no content) and sets to zero; allocates only beyond the capacity.
void assignZero(Vector& v, std::size_t size);

/// True if no component is NaN or infinite.
bool allFinite(const Vector& v);

/// Throws Error naming `what`, unless `v` has `size` components.
void requireSize(const Vector& v, std::size_t size, std::string_view what);

/// Throws Error naming `what` and the first component that is NaN or infinite.
void requireFinite(const Vector& v, std::string_view what);

}  // namespace delassus
