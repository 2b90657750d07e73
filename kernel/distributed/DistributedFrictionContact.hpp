// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/problems/DelassusAssembly.hpp>
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <delassus/numerics/distributed/DistributedDelassus.hpp>
#include <delassus/numerics/distributed/GhostExchange.hpp>
#include <delassus/numerics/distributed/Ranks.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace delassus::distributed {

/// A system of this rank's model that others have, too. One rank owns it; the others have ghosts, equal copies, and
/// each contact of it is in the model of one rank alone.
struct SharedSystem {
  const DynamicalSystem* system = nullptr;  ///< of the model
  std::uint64_t number = 0;                 ///< the same on all ranks
  std::size_t owner = 0;                    ///< rank
};

/// The one-step problem of contacts with friction in 3D whose bodies are spread over ranks: one problem of all, with
/// one certificate. The model of each rank has its own bodies, ghosts of others that its contacts touch, and its
/// contacts; W couples those of several ranks by the bodies that they share,
///
///     W_αβ = left(α, i) right(β, i),    α on one rank, β on another, both on body i.
///
/// What contacts of other ranks do to a body is added to the free state of its owner. That of ghosts is not complete
/// after a step: the owner has to send it again. All functions that solve are collective.
class DistributedFrictionContact final : public OneStepNSProblem {
 public:
  /// By DistributedFrictionSolver.
  explicit DistributedFrictionContact(const Ranks& ranks, double tolerance = 1e-3);

  /// True for Coulomb friction of size 3.
  static bool takes(const NonSmoothLaw& law) {
    return law.size() == dimension && law.set()->coulombFriction().has_value();
  }

  std::string_view name() const override { return "DistributedFrictionContact"; }
  void bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) override;
  numerics::SolveReport attempt(StepEquations& equations) override;
  Settings settings() const override;
  std::size_t size() const override { return assembly_.size(); }
  std::string whyNotUnique() override;
  std::string activeNames() const override { return assembly_.activeNames(); }

  /// Begins a step: the ghosts of the next solves, and the own systems that may be ghosts of others. They are to be
  /// systems of the model. The last report is forgotten.
  void setShared(std::vector<SharedSystem> shared);

  std::size_t contacts() const { return assembly_.size() / dimension; }  ///< of this rank, in the last problem
  std::size_t contactsOfAll() const { return contactsOfAll_; }           ///< of all ranks
  /// The report of the last solve of this step; before it, one that has converged. Only the reason differs between
  /// ranks: those without contacts do not know it.
  const numerics::SolveReport& lastReport() const { return last_; }

 private:
  static constexpr std::size_t dimension = 3;

  // A contact and a shared body: its number among those of all ranks, and M⁻¹ H.
  struct Arm {
    std::size_t contact = 0;
    const double* left = nullptr;  // of a contact of this rank; columns are `stride` apart
    std::size_t stride = 0;
    const double* right = nullptr;
  };
  struct SharedNode {
    std::size_t owner = 0;
    std::size_t node = 0;
    std::vector<Arm> arms;  // of this rank
  };

  void findArms(const StepEquations& equations);
  void coupleRanks();
  void couple(const SharedNode& shared, std::size_t contact, const double* right);
  static void write(Packet& packet, std::uint64_t number, std::span<const Arm> arms);
  void takeLocalRows();
  numerics::SolveReport solveWith(const Ranks& part);
  void sendImpulses(StepEquations& equations) const;

  Ranks ranks_;
  double tolerance_;
  PartOfRanks part_;
  std::vector<SharedSystem> shared_;
  std::map<const DynamicalSystem*, std::size_t> nodeOf_;
  DelassusAssembly assembly_;
  BlockSparseMatrix local_;
  std::vector<DistributedDelassus::Row> rows_;
  std::map<std::uint64_t, SharedNode> nodes_;
  std::size_t firstContact_ = 0, contactsOfAll_ = 0;
  Vector q_, mu_, reactions_, velocities_;
  numerics::SolveReport last_;
};

}  // namespace delassus::distributed
