// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Vectors and matrices as those of Eigen 3.3 or newer, and functions of them as functions of a model. Optional:
/// nothing else includes it, and Eigen has to be among the include directories of the program.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <concepts>
#include <cstddef>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <type_traits>
#include <utility>

namespace delassus {

/// The same numbers as a vector or matrix of Eigen, without a copy: valid while the object lives and keeps its size.
///@{
inline Eigen::Map<Eigen::VectorXd> asEigen(Vector& v) {
  return {data(v), static_cast<Eigen::Index>(v.size())};
}
inline Eigen::Map<const Eigen::VectorXd> asEigen(const Vector& v) {
  return {data(v), static_cast<Eigen::Index>(v.size())};
}
inline Eigen::Map<Eigen::MatrixXd> asEigen(Matrix& a) {
  return {data(a), static_cast<Eigen::Index>(a.size1()), static_cast<Eigen::Index>(a.size2())};
}
inline Eigen::Map<const Eigen::MatrixXd> asEigen(const Matrix& a) {
  return {data(a), static_cast<Eigen::Index>(a.size1()), static_cast<Eigen::Index>(a.size2())};
}
inline Eigen::Map<Eigen::Vector3d> asEigen(Vector3& v) {
  return Eigen::Map<Eigen::Vector3d>(v.data());
}
inline Eigen::Map<const Eigen::Vector3d> asEigen(const Vector3& v) {
  return Eigen::Map<const Eigen::Vector3d>(v.data());
}
inline Eigen::Map<Eigen::Matrix3d> asEigen(Matrix3& a) {
  return Eigen::Map<Eigen::Matrix3d>(a.data());
}
inline Eigen::Map<const Eigen::Matrix3d> asEigen(const Matrix3& a) {
  return Eigen::Map<const Eigen::Matrix3d>(a.data());
}
void asEigen(Vector&&) = delete;
void asEigen(Matrix&&) = delete;
///@}

/// A copy of the value of an expression of Eigen: of a column, of any matrix, of three numbers.
///@{
template <class Derived>
Vector toVector(const Eigen::MatrixBase<Derived>& expression) {
  static_assert(Derived::ColsAtCompileTime == 1, "a Vector is made of a column of Eigen");
  Vector v(static_cast<std::size_t>(expression.rows()));
  asEigen(v) = expression;
  return v;
}
template <class Derived>
Matrix toMatrix(const Eigen::MatrixBase<Derived>& expression) {
  Matrix a(static_cast<std::size_t>(expression.rows()), static_cast<std::size_t>(expression.cols()));
  asEigen(a) = expression;
  return a;
}
template <class Derived>
Vector3 toVector3(const Eigen::MatrixBase<Derived>& expression) {
  Vector3 v;
  asEigen(v) = expression;
  return v;
}
///@}

/// The same rotation: here the scalar of a quaternion comes first.
///@{
inline Eigen::Quaterniond toEigen(const Quaternion& p) {
  return {p[0], p[1], p[2], p[3]};
}
inline Quaternion toQuaternion(const Eigen::Quaterniond& p) {
  return {p.w(), p.x(), p.y(), p.z()};
}
///@}

namespace detail {

inline double eigenArgument(double number) {
  return number;
}
template <class Argument>
auto eigenArgument(Argument& argument) -> decltype(asEigen(argument)) {
  return asEigen(argument);
}

}  // namespace detail

/// A function of Eigen's vectors and matrices as one of Vector and Matrix, made by eigen().
template <class F>
class EigenFunction {
 public:
  /// See eigen().
  explicit EigenFunction(F f) : f_(std::move(f)) {}

  /// f of the arguments as Eigen's. Results cannot change their size.
  template <class... Arguments>
  requires std::invocable<F&, decltype(detail::eigenArgument(std::declval<Arguments&>()))...>
  void operator()(Arguments&&... arguments) const { f_(detail::eigenArgument(arguments)...); }

 private:
  mutable F f_;
};

/// Takes a function of doubles and `Eigen::Ref`s to wherever the library takes one of doubles, Vector and Matrix:
///
///     using Eigen::Ref, Eigen::VectorXd, Eigen::MatrixXd;
///     arm->setExternalForces(eigen([](double t, Ref<VectorXd> F) { F(0) = std::sin(t); }));
///     arm->setMass(eigen([=](const Ref<const VectorXd>& q, Ref<MatrixXd> M) { M = m * ...; }));
///     withJacobians(eigen(f), eigen(byQ), eigen(byV));
///
/// (Not in automatic(), which differentiates functions of other numbers than double; differenced() takes it.)
template <class F>
EigenFunction<F> eigen(F f) {
  return EigenFunction<F>(std::move(f));
}

}  // namespace delassus
