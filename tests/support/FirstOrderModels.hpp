// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <functional>
#include <memory>
#include <support/RandomProblems.hpp>
#include <vector>

// Random first-order models that tests share, with their functions at hand.
namespace delassus::test {

/// out = A x + a sin(G x + t), for numbers and for what differentiates them.
struct WavyMap {
  Matrix A, G;
  double a = 0.;

  template <class T, class X, class Out>
  void operator()(const T& t, const X& x, Out& out) const {
    using std::sin;
    for (std::size_t i = 0; i < A.size1(); ++i) {
      auto linear = A(i, 0) * x(0);
      auto phase = G(i, 0) * x(0) + t;
      for (std::size_t j = 1; j < x.size(); ++j) {
        linear += A(i, j) * x(j);
        phase += G(i, j) * x(j);
      }
      out(i) = linear + a * sin(phase);
    }
  }
};

/// out = A x + B λ + a sin(G x + t) (1 + sum of λ), which has all derivatives.
struct WavyRelation {
  Matrix A, B, G;
  double a = 0.;

  template <class T, class X, class L, class Out>
  void operator()(const T& t, const X& x, const L& lambda, Out& out) const {
    using std::sin;
    for (std::size_t i = 0; i < A.size1(); ++i) {
      auto byState = A(i, 0) * x(0);
      auto phase = G(i, 0) * x(0) + t;
      for (std::size_t j = 1; j < x.size(); ++j) {
        byState += A(i, j) * x(j);
        phase += G(i, j) * x(j);
      }
      auto byMultiplier = B(i, 0) * lambda(0);
      auto sum = 1. + lambda(0);
      for (std::size_t j = 1; j < lambda.size(); ++j) {
        byMultiplier += B(i, j) * lambda(j);
        sum += lambda(j);
      }
      out(i) = byState + byMultiplier + a * sin(phase) * sum;
    }
  }
};

/// Two nonlinear systems (of 2 and 3 states) with one interaction of every type of relation: 0 nonlinear with K ≠ 0
/// between both systems, 1 of type 2, 2 of type 1, 3 linear and varying in time between both. Laws of relay, of
/// complementarity, of equality, of relay again; D and C B are such that the one-step matrices are definite.
struct MixedFirstOrderModel {
  explicit MixedFirstOrderModel(unsigned seed, double end = 1.);

  NonSmoothDynamicalSystem model;
  std::vector<std::shared_ptr<FirstOrderDS>> systems;
  std::vector<std::shared_ptr<Interaction>> interactions;
  /// Of each system, its vector field; of each interaction, h, g and the systems that it links.
  std::vector<std::function<void(double, const Vector&, Vector&)>> fields;
  std::vector<std::function<void(double, const Vector&, const Vector&, Vector&)>> outputs, inputs;
  std::vector<std::vector<std::size_t>> links;
  /// Bounds of the multipliers, as the laws have them.
  std::vector<Vector> lower, upper;
};

}  // namespace delassus::test
