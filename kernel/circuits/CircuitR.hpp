// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/kernel/circuits/CircuitSources.hpp>
#include <delassus/kernel/relations/FirstOrderR.hpp>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

/// The relation of a circuit's rows,
///
///     y = C x + D λ + e(u, u̇),     r = B λ,
///
/// with constant B. Each row of C, D and e has two forms, one of which holds: a gate chooses. Nothing is allocated when
/// a row takes its other form. Rows are no parameters by which a checkpoint is known: the gates that it has set them
/// again.
class CircuitR final : public FirstOrderR {
 public:
  /// A row of C, D and e.
  struct Form {
    std::vector<std::pair<std::size_t, double>> byState;       ///< (column of C, entry)
    std::vector<std::pair<std::size_t, double>> byMultiplier;  ///< (column of D, entry)
    SourceVector sources;                                      ///< of its row in e
  };
  /// A row: its form while its gate is off, or if it has none, and that while it is on.
  using Row = std::array<Form, 2>;

  /// With B, states x outputs, and a row for each output.
  CircuitR(Matrix B, std::vector<Row> rows, std::shared_ptr<const CircuitSources> sources);

  /// Lets a row have its form while its gate is on, or off.
  void choose(std::size_t row, bool isOn);
  /// Whether a form that holds depends on this source.
  bool feels(std::size_t source) const { return e_.has(source); }
  /// A source has another waveform, or another piece of it.
  void sourcesChanged();

  std::string_view className() const override { return "CircuitR"; }
  std::size_t size() const override { return rows_.size(); }
  bool isLinear() const override { return true; }
  bool isTimeInvariant() const override { return true; }
  bool hasFeedthrough() const override { return hasFeedthrough_; }
  bool inputDependsOnState() const override { return false; }
  bool outputDependsOnTime() const override { return dependsOnTime_; }
  bool computeOutputRate(double t, const Vector& x, const Vector& lambda, Vector& yDot) override;
  void computeOutput(double t, const Vector& x, const Vector& lambda, Vector& y) override;
  void computeInput(double t, const Vector& x, const Vector& lambda, Vector& r) override;
  void computeC(double t, const Vector& x, const Vector& lambda, Matrix& C) override;
  void computeD(double t, const Vector& x, const Vector& lambda, Matrix& D) override;
  void computeB(double t, const Vector& x, const Vector& lambda, Matrix& B) override;

 private:
  const Form& present(std::size_t row) const { return rows_[row][isOn_[row] != 0 ? 1 : 0]; }
  void writeRow(std::size_t row);
  void gatherSources();

  Matrix B_, C_, D_;
  std::vector<Row> rows_;
  std::vector<char> isOn_;
  SourceVector e_;  // of the forms that hold
  std::shared_ptr<const CircuitSources> sources_;
  bool hasFeedthrough_ = false;
  bool hasRates_ = false;       // of sources
  bool dependsOnTime_ = false;  // a source in any form varies
};

}  // namespace delassus
