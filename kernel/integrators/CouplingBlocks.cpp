// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/integrators/CouplingBlocks.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace delassus {
namespace {

// Of a node, one a thread.
Vector& inputOfNode() {
  static thread_local Vector input;
  return input;
}

}  // namespace

void StateSum::addInput(const StepEquations::Coupling& coupling, const double* lambda) {
  if (std::all_of(lambda, lambda + coupling.rows, [](double entry) { return entry == 0.; })) return;
  if (!std::exchange(hasInput_, true)) assignZero(inputOfNode(), x_.size());
  coupling.addInput(lambda, data(inputOfNode()));
}

void StateSum::solve() {
  Vector& input = inputOfNode();
  node_.respond(data(input));
  for (std::size_t i = 0; i < x_.size(); ++i) x_(i) += input(i);
}

void SeenUnknowns::add(std::size_t first, std::size_t count, std::size_t all) {
  marks_.resize(all, 0);
  std::fill_n(marks_.begin() + static_cast<std::ptrdiff_t>(first), count, 1);
  isSeenWhole_ = isSeenWhole_ || count == all;
}

std::vector<std::uint32_t> SeenUnknowns::numbers() const {
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    if (marks_[i] != 0) numbers.push_back(static_cast<std::uint32_t>(i));
  }
  return numbers;
}

void setInterface(IterationNode& node, bool isSparse, const SeenUnknowns& seen) {
  std::vector<std::uint32_t> numbers;
  if (isSparse && !seen.isSeenWhole()) numbers = seen.numbers();
  const bool had = node.interface != nullptr;
  const bool has = !numbers.empty();
  if (had != has) ++node.factorVersion;  // right blocks are others
  if (!has) {
    node.interface.reset();
  } else if (!had || node.interface->unknowns() != numbers) {
    node.interface = std::make_unique<InterfaceCompliance>(std::move(numbers), node);
  }
}

}  // namespace delassus
