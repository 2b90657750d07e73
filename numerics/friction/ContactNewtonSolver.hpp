// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/SemismoothNewtonSolver.hpp>
#include <delassus/numerics/friction/ContactSystem.hpp>
#include <delassus/numerics/friction/FrictionContactSolver.hpp>
#include <delassus/numerics/friction/NonsmoothGaussSeidelSolver.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of AlartCurnierNewtonSolver and NaturalMapNewtonSolver.
struct ContactNewtonOptions {
  double tolerance = 1e-8;          ///< for the certificate
  std::size_t maxIterations = 200;  ///< Newton steps, including failed ones
  std::size_t startSweeps = 10;     ///< of nonsmooth Gauss–Seidel, before the first step; 0: none
  double proximal = 1e-10;          ///< ε at the start, see ContactNewtonSolver

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "Newton steps, failed ones among them"},
            {"startSweeps", &startSweeps, range::notNegative, "sweeps of Gauss-Seidel before the first step; 0: none"},
            {"proximal", &proximal, range::fromBelow(0., 1.), "regularisation of the matrix at the start"}};
  }
};

/// Semismooth Newton's method in the reactions r of all contacts on a function Φ(u, r), u = W r + q, one block a
/// contact, whose zeros are the solutions. The step solves
///
///     ( ∂_uΦ (W + ε R) + ∂_rΦ ) Δr = −Φ,
///
/// with the line search and the ε of SemismoothNewtonSolver on ‖d Φ‖₂ (d the mean diagonal of the contact's block, ρ =
/// 1/d, R = d). Quadratic near solutions if W has full rank; it can fail on hyperstatic problems. Needs W as a matrix;
/// sparse factorisations allocate. Warm starts from r.
class ContactNewtonSolver : public SemismoothNewtonSolver<FrictionContactProblem, ContactNewtonOptions> {
 protected:
  /// `name`, the name of the derived class, is for messages. Throws Error on options out of range.
  ContactNewtonSolver(ContactNewtonOptions options, std::string_view name);

 private:
  /// Φ of one contact into value (d), ∂_uΦ and ∂_rΦ into byU and byR (d x d, column-major), at the parameter ρ.
  virtual void evaluateContact(std::size_t dimension, double mu, double rho, const double* u, const double* r,
                               double* value, double* byU, double* byR) const = 0;

  Outcome compute(const FrictionContactProblem& problem, Vector& r) override;
  double evaluate(const FrictionContactProblem& problem, const Vector& r) override;
  bool direction(const FrictionContactProblem& problem, double shift, Vector& step) override;

  NonsmoothGaussSeidelSolver start_;
  ContactSystem system_;
  std::vector<double> scales_, byU_, byR_;
  Vector u_, value_;
};

/// ContactNewtonSolver on the functions of Alart and Curnier ([Siconos 2017], 16.1; see alartCurnier()). (Alart and
/// Curnier, Comput. Methods Appl. Mech. Engrg. 92, 1991.)
class AlartCurnierNewtonSolver final : public ContactNewtonSolver {
 public:
  /// Throws Error on options out of range.
  explicit AlartCurnierNewtonSolver(ContactNewtonOptions options = {});
  std::string_view name() const override { return "AlartCurnierNewtonSolver"; }

 private:
  void evaluateContact(std::size_t dimension, double mu, double rho, const double* u, const double* r, double* value,
                       double* byU, double* byR) const override;
};

/// ContactNewtonSolver on the natural map with De Saxcé's correction (see naturalMap()).
class NaturalMapNewtonSolver final : public ContactNewtonSolver {
 public:
  /// Throws Error on options out of range.
  explicit NaturalMapNewtonSolver(ContactNewtonOptions options = {});
  std::string_view name() const override { return "NaturalMapNewtonSolver"; }

 private:
  void evaluateContact(std::size_t dimension, double mu, double rho, const double* u, const double* r, double* value,
                       double* byU, double* byR) const override;
};

}  // namespace delassus::numerics
