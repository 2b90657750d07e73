// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <delassus/kernel/integrators/OneStepIntegrator.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace delassus {

/// Several schemes in one model, each acting on its own group of systems and the interactions between them:
///
///     MixedOSI mixed;
///     mixed.add(MoreauJeanOSI(0.5), {ballA, ballB});
///     mixed.add(SchatzmanPaoliOSI(0.), {oscillator});
///     mixed.add(EulerMoreauOSI(1.), {circuit});
///     TimeStepping simulation(model, TimeDiscretisation(0., h), std::move(mixed), LCP());
///
/// The groups share the steps and the one-step problem but are not coupled in it: every group moves as it would alone.
/// (So the problem must accept the laws of all groups.) Newton's loop runs until all groups have converged; linear
/// groups take part in its first pass only.
///
/// An interaction between systems of two groups is refused when a model is bound: the rule there would be undefined (0
/// ≤ ẏ⁺ + e ẏ ⟂ λ ≥ 0 if the forecast of y is closed, or 0 ≤ y⁺ + e y⁻ ⟂ λ ≥ 0 in every step), the instant within the
/// step at which each system obeys it, and the meaning of a multiplier that is an impulse for one system and h times an
/// impulse for the other. ([Siconos 2017], 10.4.) The same holds for groups with schemes of one kind and different
/// parameters.
///
/// Every system of the model must be in one group. A system of a group may be removed from the model and inserted
/// again.
class MixedOSI final : public OneStepIntegrator {
 public:
  MixedOSI() = default;

  /// Throws Error if there are no systems, one is null or is in a group already.
  template <std::derived_from<OneStepIntegrator> Integrator>
  MixedOSI& add(Integrator scheme, const std::vector<std::shared_ptr<DynamicalSystem>>& systems) {
    addMember(std::make_unique<Integrator>(std::move(scheme)), systems);
    return *this;
  }

  /// Number of groups.
  std::size_t groups() const { return members_.size(); }

  std::string_view name() const override { return name_; }
  Settings settings() const override;
  void serializeState(StateArchive& archive) override;
  /// The largest value of all members.
  std::size_t maxRelativeDegree() const override;
  void bind(const NonSmoothDynamicalSystem& model, double t) override;
  bool needsInitialMultipliers() const override;
  void beginStep(const TimeStep& timeStep) override;
  void computeFreeState() override;
  void updateState() override;
  bool isLinear() const override;
  StepResidual residual() override;
  void simplify() override;
  bool multipliersRunAway() const override;
  bool takesDepthsBack() const override;
  bool holdRelations() override;
  bool askForRest() override;
  void settle() override;
  bool missesContact() override;
  void show(MotionAudit& audit) const override;
  void searchChange() override;
  void prepareAccept() override;
  void accept() override;

  StepEquations& equations() override { return equations_; }
  const StepEquations& equations() const override { return equations_; }
  /// Those of all members.
  std::vector<IterationMatrix> iterationMatrices() const override;

 private:
  /// A group: its scheme, bound to its part of the model.
  struct Member {
    std::unique_ptr<OneStepIntegrator> scheme;
    std::unique_ptr<NonSmoothDynamicalSystem> part;
    bool bound = false;
    bool runs = true;  ///< in this step; in one of size zero only schemes that look for initial multipliers
    MadeFrom<std::uint64_t> blocksFrom;  ///< StepEquations::blocksVersion, as taken over
  };
  /// The member to which a system was added.
  struct Listed {
    std::shared_ptr<DynamicalSystem> system;
    std::size_t member = 0;
    bool seen = false;  ///< in the model
  };
  /// An interaction: its member, and its number there.
  struct Place {
    std::size_t member = 0;
    std::size_t number = 0;
  };

  void addMember(std::unique_ptr<OneStepIntegrator> scheme,
                 const std::vector<std::shared_ptr<DynamicalSystem>>& systems);
  std::vector<std::size_t> findMembers(const Topology& topology);
  void requireSeparateElements(const Topology& topology) const;
  void requireSeparate(const Topology& topology, const std::vector<std::size_t>& memberOfSystem) const;
  void bind(Member& member, const NonSmoothDynamicalSystem& model, const std::vector<char>& taken, double t) const;
  void findPlaces(const Topology& topology, const std::vector<std::size_t>& memberOfSystem);
  void makeEquations();
  void run(bool initial);
  void takeMultipliers();
  void takeEquations();

  std::string name_ = "MixedOSI";
  std::vector<Member> members_;
  std::unordered_map<const DynamicalSystem*, Listed> listed_;
  std::vector<const DynamicalSystem*> listOrder_;
  std::vector<Place> places_;  // of the interactions
  StepEquations equations_;    // those of all members
  bool firstPass_ = true;
};

}  // namespace delassus
