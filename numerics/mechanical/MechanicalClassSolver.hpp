// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/friction/FrictionContactSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalSolver.hpp>
#include <delassus/numerics/relay/RelaySolver.hpp>
#include <memory>

namespace delassus::numerics {

/// Options of MechanicalClassSolver.
struct MechanicalClassOptions {
  double tolerance = 1e-8;  ///< for the certificate

  /// Names, ranges and meanings of all members.
  OptionFields fields() { return {{"tolerance", &tolerance, range::positive, "for the certificate"}}; }
};

/// Passes problems of one kind to the solver of that class: Coulomb contacts of one dimension to
/// AutomaticFrictionSolver, boxes and equalities (boxes without bounds) to AutomaticRelaySolver. Others are
/// `unsupported`. It says `infeasible` if those have a proof. Allocates if W changes and the parts are contacts.
class MechanicalClassSolver final : public WithOptions<MechanicalSolver, MechanicalClassOptions> {
 public:
  /// Throws Error on options out of range.
  explicit MechanicalClassSolver(MechanicalClassOptions options = {});

  std::string_view name() const override { return "MechanicalClassSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  Outcome compute(const GenericMechanicalProblem& problem, Vector& lambda) override;
  Outcome solveContacts(const GenericMechanicalProblem& problem, Vector& lambda);
  Outcome solveBoxes(const GenericMechanicalProblem& problem, Vector& lambda);

  std::unique_ptr<FrictionContactSolver> friction_;
  std::unique_ptr<RelaySolver> relay_;
  std::uint64_t stamp_ = 0;
  FrictionContactProblem contacts_;
  RelayProblem boxes_;
  Vector dual_;
};

}  // namespace delassus::numerics
