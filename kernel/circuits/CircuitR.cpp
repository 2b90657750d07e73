// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/CircuitR.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

CircuitR::CircuitR(Matrix B, std::vector<Row> rows, std::shared_ptr<const CircuitSources> sources)
    : B_(std::move(B)), rows_(std::move(rows)), isOn_(rows_.size()), sources_(std::move(sources)) {
  std::size_t terms = 0;
  assignZero(C_, rows_.size(), B_.size1());
  assignZero(D_, rows_.size(), rows_.size());
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    for (const Form& form : rows_[row]) {
      hasFeedthrough_ = hasFeedthrough_ || !form.byMultiplier.empty();
      hasRates_ = hasRates_ || form.sources.hasRates();
      terms += form.sources.size();
    }
    writeRow(row);
  }
  e_.reserve(terms);
  gatherSources();
  sourcesChanged();
}

void CircuitR::writeRow(std::size_t row) {
  for (std::size_t j = 0; j < C_.size2(); ++j) C_(row, j) = 0.;
  for (std::size_t j = 0; j < D_.size2(); ++j) D_(row, j) = 0.;
  for (const auto& [column, value] : present(row).byState) C_(row, column) = value;
  for (const auto& [column, value] : present(row).byMultiplier) D_(row, column) = value;
}

void CircuitR::choose(std::size_t row, bool isOn) {
  isOn_[row] = isOn ? 1 : 0;
  writeRow(row);
  gatherSources();
  parametersChanged();
}

void CircuitR::gatherSources() {
  e_.clear();
  for (std::size_t row = 0; row < rows_.size(); ++row) e_.add(present(row).sources);
}

void CircuitR::sourcesChanged() {
  const auto isConstant = [this](const Row& row) {
    return row[0].sources.isConstant(*sources_) && row[1].sources.isConstant(*sources_);
  };
  dependsOnTime_ = !std::all_of(rows_.begin(), rows_.end(), isConstant);
  parametersChanged();
}

void CircuitR::computeOutput(double t, const Vector& x, const Vector& lambda, Vector& y) {
  e_.addTo(*sources_, t, y);
  multiply(1., C_, x, 1., y);
  // λ = 0 occurs in every step, for y without the multipliers.
  const bool any = std::any_of(lambda.begin(), lambda.end(), [](double entry) { return entry != 0.; });
  if (any && hasFeedthrough_) multiply(1., D_, lambda, 1., y);
}

// Second derivatives of sources are not known.
bool CircuitR::computeOutputRate(double t, const Vector&, const Vector&, Vector& yDot) {
  if (dependsOnTime_ && hasRates_) return false;
  if (dependsOnTime_) e_.addRateTo(*sources_, t, yDot);
  return true;
}

void CircuitR::computeInput(double, const Vector&, const Vector& lambda, Vector& r) {
  multiply(1., B_, lambda, 1., r);
}

void CircuitR::computeC(double, const Vector&, const Vector&, Matrix& C) {
  C = C_;
}

void CircuitR::computeD(double, const Vector&, const Vector&, Matrix& D) {
  D = D_;
}

void CircuitR::computeB(double, const Vector&, const Vector&, Matrix& B) {
  B = B_;
}

}  // namespace delassus
