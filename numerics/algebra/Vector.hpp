// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <delassus/numerics/algebra/Ublas.hpp>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <string_view>
#include <vector>

namespace delassus {

namespace detail {

[[noreturn]] void failIndex(std::size_t i, std::size_t size);

}  // namespace detail

/// Dense vector of doubles: a uBLAS vector, and wherever one is wanted, with what that lacks:
///
///     const Vector v{1., 2.};       // the listed components; Vector(2) has two zeros, Vector(2, 1.) two ones
///     std::cout << v;               // (1, 2)
///     v(2);                         // throws Error: "index 2 is out of range: …", as v.at(2)
///
/// Release builds of the library define DELASSUS_UNCHECKED_INDICES for themselves, and check v.at(i) alone.
///
/// The storage is a std::vector, so that elements start at zero and a resize within the capacity does not allocate.
class Vector : public boost::numeric::ublas::vector<double, std::vector<double>> {
  using Base = boost::numeric::ublas::vector<double, std::vector<double>>;

 public:
  /// Empty.
  Vector() = default;
  /// `size` zeros.
  explicit Vector(size_type size) : Base(size) {}
  /// `size` times `value`.
  Vector(size_type size, double value) : Base(size, value) {}
  /// The listed components.
  Vector(std::initializer_list<double> components) : Base(array_type(components)) {}
  /// The components of a std::vector.
  Vector(const std::vector<double>& components) : Base(components) {}  // NOLINT: implicit by intention
  /// The value of an expression of uBLAS.
  template <class E>
  Vector(const boost::numeric::ublas::vector_expression<E>& e) : Base(e) {}  // NOLINT: implicit by intention
  /// A size is a whole number: components are listed in braces, Vector{1., 2.}.
  ///@{
  template <std::floating_point T>
  explicit Vector(T) = delete;
  template <std::floating_point T>
  Vector(T, double) = delete;
  ///@}

  /// Takes the value of an expression of uBLAS.
  ///@{
  template <class E>
  Vector& operator=(const boost::numeric::ublas::vector_expression<E>& e) {
    Base::operator=(e);
    return *this;
  }
  template <class C>
  Vector& operator=(const boost::numeric::ublas::vector_container<C>& v) {
    Base::operator=(v);
    return *this;
  }
  ///@}

  /// Component i, from 0 on. Throws Error if there is none.
  ///@{
  double& at(size_type i) {
    requireIndex(i);
    return data()[i];
  }
  double at(size_type i) const {
    requireIndex(i);
    return data()[i];
  }
  ///@}

  /// Component i, from 0 on. Throws Error if there is none, unless DELASSUS_UNCHECKED_INDICES is defined where this is
  /// compiled.
  ///@{
  double& operator()(size_type i) {
    requireIndexOfUsers(i);
    return data()[i];
  }
  const double& operator()(size_type i) const {
    requireIndexOfUsers(i);
    return data()[i];
  }
  double& operator[](size_type i) { return (*this)(i); }
  const double& operator[](size_type i) const { return (*this)(i); }
  ///@}

  /// The components, one after another, by pointers, so that a Vector is a contiguous range.
  ///@{
  double* begin() { return data().data(); }
  double* end() { return begin() + size(); }
  const double* begin() const { return data().data(); }
  const double* end() const { return begin() + size(); }
  ///@}

 private:
  void requireIndex(size_type i) const {
    if (i >= size()) detail::failIndex(i, size());
  }
  void requireIndexOfUsers([[maybe_unused]] size_type i) const {
#ifndef DELASSUS_UNCHECKED_INDICES
    requireIndex(i);
#endif
  }
};

/// The components as (1, 2, 3), each with the stream's format and width.
std::ostream& operator<<(std::ostream& out, const Vector& v);

/// Vector with the listed components, Vector{…}.
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

namespace detail {

/// Gives a vector another size; what it held is lost.
void resize(Vector& v, std::size_t size);

}  // namespace detail

// The next four are inline: they run on vectors of a few components, many times a step.

/// to = from, without the call to memmove that short vectors spend most of their time in.
inline void assign(const Vector& from, Vector& to) {
  if (to.size() != from.size()) detail::resize(to, from.size());
  const double* const source = data(from);
  double* const target = data(to);
  for (std::size_t i = 0; i < from.size(); ++i) target[i] = source[i];
}

/// The same to or from as many numbers elsewhere; the size stays.
///@{
inline void assign(const Vector& from, double* to) {
  const double* const source = data(from);
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = source[i];
}
inline void assign(const double* from, Vector& to) {
  double* const target = data(to);
  for (std::size_t i = 0; i < to.size(); ++i) target[i] = from[i];
}
///@}

/// Sets every component to zero.
inline void setZero(Vector& v) {
  for (double& x : v.data()) x = 0.;
}

/// Resizes (keeping no content) and sets to zero; allocates only beyond the capacity.
inline void assignZero(Vector& v, std::size_t size) {
  if (v.size() != size) detail::resize(v, size);
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
///@{
void append(std::span<const double> part, Vector& all);
inline void append(const Vector& part, Vector& all) {
  append({part.data().begin(), part.size()}, all);
}
///@}

/// Throws Error naming `what`, unless `v` has `size` components.
inline void requireSize(const Vector& v, std::size_t size, std::string_view what) {
  if (v.size() != size) detail::failSize(v, size, what);
}

/// Throws Error naming `what` and the first component that is NaN or infinite.
inline void requireFinite(const Vector& v, std::string_view what) {
  if (!allFinite(v)) detail::failFinite(v, what);
}

}  // namespace delassus
