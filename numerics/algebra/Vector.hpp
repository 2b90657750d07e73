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

/// The components, one after another.
///@{
inline double* data(Vector& v) {
  return v.data().data();
}
inline const double* data(const Vector& v) {
  return v.data().data();
}
///@}

// The next four are inline: they run on vectors of a few components, many times a step.

/// to = from, without the call to memmove that short vectors spend most of their time in.
inline void assign(const Vector& from, Vector& to) {
  if (to.size() != from.size()) to.resize(from.size(), false);
  const double* const source = data(from);
  double* const target = data(to);
  for (std::size_t i = 0; i < from.size(); ++i) target[i] = source[i];
}

/// Sets every component to zero.
inline void setZero(Vector& v) {
  for (double& x : v.data()) x = 0.;
}

/// Resizes (keeping no content) and sets to zero; allocates only beyond the capacity.
inline void assignZero(Vector& v, std::size_t size) {
  if (v.size() != size) v.resize(size, false);
  setZero(v);
}

/// True if no component is NaN or infinite.
inline bool allFinite(const Vector& v) {
  // 0·x is 0 for finite x and NaN otherwise, so one sum tests them all without branches.
  double sum = 0.;
  for (const double x : v.data()) sum += 0. * x;
  return sum == 0.;
}

namespace detail {

[[noreturn]] void failSize(const Vector& v, std::size_t size, std::string_view what);
[[noreturn]] void failFinite(const Vector& v, std::string_view what);

}  // namespace detail

/// Appends `part` to `all`.
void append(const Vector& part, Vector& all);

/// Throws Error naming `what`, unless `v` has `size` components.
inline void requireSize(const Vector& v, std::size_t size, std::string_view what) {
  if (v.size() != size) detail::failSize(v, size, what);
}

/// Throws Error naming `what` and the first component that is NaN or infinite.
inline void requireFinite(const Vector& v, std::string_view what) {
  if (!allFinite(v)) detail::failFinite(v, what);
}

}  // namespace delassus
