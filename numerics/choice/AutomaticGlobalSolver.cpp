// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/AutomaticGlobalSolver.hpp>

#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/problem/SparseFactors.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t localFirst = 150;     // rows
constexpr std::size_t fewGlobalRows = 300;  // of which nothing costs much
constexpr std::size_t localEarly = 600;     // where multipliers are unique
// Relative to Hᵀ diag(M)⁻¹ H, which is less than W where M couples neighbours, as of a mesh: on a block of 401 contacts
// 55 iterations, and 125 with the usual penalty. Where bodies are not joined these methods come after the local form.
constexpr double penaltyOfMeshes = 1.;

template <std::size_t limit>
std::unique_ptr<SolverOverSets> makeDirections(const AutomaticGlobalSolver& self) {
  return std::make_unique<AdmmSolver>(
      AdmmOptions{.tolerance = self.tolerance(), .maxIterations = limit, .penalty = penaltyOfMeshes});
}

bool isOfContacts(const ProblemOverSets& problem) {
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    if (!problem.set(part).coulombFriction() || problem.rows(part) != problem.rows(0)) return false;
  }
  return problem.partCount() > 0;
}

}  // namespace

AutomaticGlobalSolver::AutomaticGlobalSolver(double tolerance) : TableSolver("AutomaticGlobalSolver", tolerance) {
}

AutomaticGlobalSolver::Table AutomaticGlobalSolver::tableFor(const ProblemOverSets& problem) {
  const SparseFactors* const factors = problem.factors();
  const bool isHyperstatic = factors != nullptr && problem.size() > factors->inverse->size();
  isLocalCheap_ = factors == nullptr || factors->inverse->isOfSmallBlocks() ||
                  problem.size() <= (isHyperstatic ? localFirst : localEarly);
  isOfContacts_ = isOfContacts(problem);
  leaveOut(problem.size() > fewGlobalRows ? Thrift::full : Thrift::none);
  return tables().front();
}

AutomaticGlobalSolver::Tables AutomaticGlobalSolver::tables() {
  constexpr auto makeLocal = [](const Self& s) -> Member {
    return std::make_unique<AutomaticMechanicalSolver>(AutomaticMechanicalOptions{.tolerance = s.tolerance()});
  };
  constexpr auto makeContacts = [](const Self& s) -> Member {
    return std::make_unique<AutomaticFrictionSolver>(s.tolerance());
  };
  static constexpr Line lines[] = {
      {"local form", makeLocal, [](const Self& s, const Problem&) { return s.isLocalCheap_ && !s.isOfContacts_; }},
      {"contacts", makeContacts, [](const Self& s, const Problem&) { return s.isLocalCheap_ && s.isOfContacts_; }},
      {"few directions", makeDirections<2000>, [](const Self& s, const Problem&) { return !s.isLocalCheap_; }},
      {"directions with Newton steps",
       [](const Self& s) -> Member {
         return std::make_unique<AdmmNewtonSolver>(
             AdmmNewtonOptions{.tolerance = s.tolerance(), .penalty = penaltyOfMeshes});
       },
       nullptr, Start::given, Cost::high},
      {"local form", makeLocal, [](const Self& s, const Problem&) { return !s.isLocalCheap_ && !s.isOfContacts_; },
       Start::given, Cost::high},
      {"contacts", makeContacts, [](const Self& s, const Problem&) { return !s.isLocalCheap_ && s.isOfContacts_; },
       Start::given, Cost::high},
      {"many directions", makeDirections<20000>, nullptr, Start::given, Cost::extreme},
  };
  static constexpr Table all[] = {lines};
  return all;
}

}  // namespace delassus::numerics
