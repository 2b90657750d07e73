// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/NonSmoothLaw.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/RowwiseSet.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>
#include <vector>

namespace delassus {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
std::atomic<std::uint64_t> changesOfBounds = 0;

// How many of the unknowns have which bounds.
struct Bounds {
  std::size_t notNegative = 0, none = 0, other = 0;

  explicit Bounds(const NonSmoothLaw& law) {
    std::vector<double> lower(law.unknowns()), upper(law.unknowns());
    law.bounds(lower.data(), upper.data());
    for (std::size_t i = 0; i < lower.size(); ++i) {
      const bool isOpen = upper[i] == infinity;
      ++(isOpen && lower[i] == 0. ? notNegative : isOpen && lower[i] == -infinity ? none : other);
    }
  }
};

}  // namespace

NonSmoothLaw::NonSmoothLaw() {
  static const auto intervals = std::make_shared<numerics::Box>();
  set_ = intervals;
}

NonSmoothLaw::NonSmoothLaw(std::shared_ptr<const numerics::ConvexSet> set) : set_(std::move(set)) {
  if (!set_) throw Error("NonSmoothLaw", "expected a set of multipliers, got none.");
}

bool NonSmoothLaw::hasIntervals() const {
  return (set_->isFree() || set_->isBox()) && unknowns() == size();
}

bool NonSmoothLaw::isComplementarity() const {
  return set_->isBox() && unknowns() == size() && Bounds(*this).notNegative == unknowns();
}

bool NonSmoothLaw::isMixedComplementarity() const {
  return set_->isFree() || (set_->isBox() && Bounds(*this).other == 0);
}

std::string NonSmoothLaw::multipliersInWords() const {
  if (set_->isFree()) return "free multipliers (an equality)";
  if (!set_->isBox()) return "multipliers in " + set_->description();
  if (unknowns() > size()) return "multipliers in a polyhedron";
  if (isComplementarity()) return "multipliers >= 0 (complementarity)";
  if (isMixedComplementarity()) return "free multipliers and others >= 0 (mixed complementarity)";
  return "multipliers between bounds (a box)";
}

void NonSmoothLaw::bounds(double* lower, double* upper) const {
  std::fill_n(lower, unknowns(), set_->isFree() ? -infinity : 0.);
  std::fill_n(upper, unknowns(), infinity);
}

void NonSmoothLaw::addBlock(double*) const {
}

void NonSmoothLaw::addConstant(double*) const {
}

void NonSmoothLaw::addImpactTerm(const double*, double*) const {
}

double NonSmoothLaw::restitution() const {
  // Contacts come and go within a run, and ask for it each time.
  static thread_local std::vector<double> before, after;
  before.assign(size(), 0.);
  after.assign(size(), 0.);
  before[0] = 1.;
  addImpactTerm(before.data(), after.data());
  return after[0];
}

std::uint64_t NonSmoothLaw::boundChanges() {
  return changesOfBounds.load(std::memory_order_relaxed);
}

void NonSmoothLaw::boundsChanged() {
  changesOfBounds.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace delassus
