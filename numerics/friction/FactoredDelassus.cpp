// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/FactoredDelassus.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Stamp.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus::numerics {

// Keeps the velocities of the bodies, M⁻¹ H r.
class FactoredSweep final : public DelassusSweep {
 public:
  explicit FactoredSweep(const FactoredDelassus& W) : W_(W), velocities_(W.bodyStarts_.back()) {}

  void begin(const double* r) override {
    std::fill(velocities_.begin(), velocities_.end(), 0.);
    for (std::size_t contact = 0; contact * W_.dimension_ < W_.size(); ++contact) {
      add(contact, r + contact * W_.dimension_);
    }
  }
  void velocity(std::size_t contact, double* u) const override { W_.relativeVelocity(contact, velocities_.data(), u); }
  void add(std::size_t contact, const double* change) override {
    W_.addVelocities(contact, change, velocities_.data());
  }

 private:
  const FactoredDelassus& W_;
  std::vector<double> velocities_;
};

FactoredDelassus::FactoredDelassus(std::size_t dimension, std::vector<Matrix> inverseMasses, const SparseMatrix& H)
    : dimension_(dimension), inverseMasses_(std::move(inverseMasses)), stamp_(newStamp()) {
  if (dimension != 2 && dimension != 3) {
    throw Error("FactoredDelassus", "expected dimension 2 or 3, got " + std::to_string(dimension) + ".");
  }
  bodyStarts_.push_back(0);
  for (std::size_t body = 0; body < inverseMasses_.size(); ++body) {
    const std::string what = "FactoredDelassus: the inverse mass of body " + std::to_string(body);
    requireSize(inverseMasses_[body], inverseMasses_[body].size1(), inverseMasses_[body].size1(), what);
    requireFinite(inverseMasses_[body], what);
    requireSymmetric(inverseMasses_[body], what);
    bodyStarts_.push_back(bodyStarts_.back() + inverseMasses_[body].size1());
  }
  if (H.size1() != bodyStarts_.back() || H.size2() % dimension != 0) {
    throw Error("FactoredDelassus", "expected H with as many rows as the bodies have coordinates, " +
                                        std::to_string(bodyStarts_.back()) + ", and a multiple of " +
                                        std::to_string(dimension) + " columns, got " + std::to_string(H.size1()) +
                                        " x " + std::to_string(H.size2()) + ".");
  }
  buildArms(H);
}

void FactoredDelassus::buildArms(const SparseMatrix& H) {
  std::vector<std::size_t> bodyOfRow(H.size1());
  for (std::size_t body = 0; body + 1 < bodyStarts_.size(); ++body) {
    for (std::size_t i = bodyStarts_[body]; i < bodyStarts_[body + 1]; ++i) bodyOfRow[i] = body;
  }
  contactStarts_.push_back(0);
  std::vector<std::size_t> bodies;
  for (std::size_t contact = 0; contact < H.size2() / dimension_; ++contact) {
    bodies.clear();
    const std::size_t firstColumn = contact * dimension_;
    for (std::size_t k = columnStart(H, firstColumn); k < columnStart(H, firstColumn + dimension_); ++k) {
      bodies.push_back(bodyOfRow[rowOf(H, k)]);
    }
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    for (const std::size_t body : bodies) {
      arms_.push_back({body, armValues_.size()});
      armValues_.resize(armValues_.size() + bodySize(body) * dimension_, 0.);
    }
    for (std::size_t j = 0; j < dimension_; ++j) {
      for (std::size_t k = columnStart(H, firstColumn + j); k < columnStart(H, firstColumn + j + 1); ++k) {
        const std::size_t body = bodyOfRow[rowOf(H, k)];
        const auto place = std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin();
        const Arm& arm = arms_[contactStarts_.back() + static_cast<std::size_t>(place)];
        armValues_[arm.firstValue + rowOf(H, k) - bodyStarts_[body] + j * bodySize(body)] = valueOf(H, k);
      }
    }
    contactStarts_.push_back(arms_.size());
  }
  inverseArmValues_.assign(armValues_.size(), 0.);
  termsOfBodies_.assign(inverseMasses_.size(), 0);
  for (const Arm& arm : arms_) {
    termsOfBodies_[arm.body] += dimension_;
    const Matrix& inverse = inverseMasses_[arm.body];
    const std::size_t n = bodySize(arm.body);
    for (std::size_t j = 0; j < dimension_; ++j) {
      for (std::size_t l = 0; l < n; ++l) {
        const double value = armValues_[arm.firstValue + l + j * n];
        for (std::size_t i = 0; i < n; ++i) inverseArmValues_[arm.firstValue + i + j * n] += inverse(i, l) * value;
      }
    }
  }
}

void FactoredDelassus::addVelocities(std::size_t contact, const double* reaction, double* bodyVelocities) const {
  for (std::size_t a = contactStarts_[contact]; a < contactStarts_[contact + 1]; ++a) {
    const std::size_t n = bodySize(arms_[a].body);
    const double* values = inverseArmValues_.data() + arms_[a].firstValue;
    double* const v = bodyVelocities + bodyStarts_[arms_[a].body];
    for (std::size_t j = 0; j < dimension_; ++j, values += n) {
      for (std::size_t i = 0; i < n; ++i) v[i] += values[i] * reaction[j];
    }
  }
}

void FactoredDelassus::relativeVelocity(std::size_t contact, const double* bodyVelocities, double* u) const {
  std::fill_n(u, dimension_, 0.);
  for (std::size_t a = contactStarts_[contact]; a < contactStarts_[contact + 1]; ++a) {
    const std::size_t n = bodySize(arms_[a].body);
    const double* values = armValues_.data() + arms_[a].firstValue;
    const double* const v = bodyVelocities + bodyStarts_[arms_[a].body];
    for (std::size_t j = 0; j < dimension_; ++j, values += n) {
      for (std::size_t i = 0; i < n; ++i) u[j] += values[i] * v[i];
    }
  }
}

void FactoredDelassus::multiply(const double* r, double* u) const {
  // One for each thread, since several may multiply; kept, since certificates do so repeatedly.
  static thread_local std::vector<double> velocities;
  velocities.assign(bodyStarts_.back(), 0.);
  const std::size_t contacts = contactStarts_.size() - 1;
  for (std::size_t c = 0; c < contacts; ++c) addVelocities(c, r + c * dimension_, velocities.data());
  for (std::size_t c = 0; c < contacts; ++c) relativeVelocity(c, velocities.data(), u + c * dimension_);
}

void FactoredDelassus::addExtended(const double* r, long double* u) const {
  static thread_local std::vector<long double> velocities;
  velocities.assign(bodyStarts_.back(), 0.L);
  const std::size_t contacts = contactStarts_.size() - 1;
  for (std::size_t c = 0; c < contacts; ++c) {
    for (std::size_t a = contactStarts_[c]; a < contactStarts_[c + 1]; ++a) {
      const std::size_t n = bodySize(arms_[a].body);
      const double* values = inverseArmValues_.data() + arms_[a].firstValue;
      long double* const v = velocities.data() + bodyStarts_[arms_[a].body];
      for (std::size_t j = 0; j < dimension_; ++j, values += n) {
        const long double reaction = r[c * dimension_ + j];
        for (std::size_t i = 0; i < n; ++i) v[i] += values[i] * reaction;
      }
    }
  }
  for (std::size_t c = 0; c < contacts; ++c) {
    for (std::size_t a = contactStarts_[c]; a < contactStarts_[c + 1]; ++a) {
      const std::size_t n = bodySize(arms_[a].body);
      const double* values = armValues_.data() + arms_[a].firstValue;
      const long double* const v = velocities.data() + bodyStarts_[arms_[a].body];
      for (std::size_t j = 0; j < dimension_; ++j, values += n) {
        for (std::size_t i = 0; i < n; ++i) u[c * dimension_ + j] += values[i] * v[i];
      }
    }
  }
}

// The velocities of bodies are sums that are rounded, and u is a sum of products with them.
void FactoredDelassus::addRounding(const double* r, double* bound) const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  static thread_local std::vector<double> magnitudes;
  magnitudes.assign(bodyStarts_.back(), 0.);
  const std::size_t contacts = contactStarts_.size() - 1;
  for (std::size_t c = 0; c < contacts; ++c) {
    for (std::size_t a = contactStarts_[c]; a < contactStarts_[c + 1]; ++a) {
      const std::size_t n = bodySize(arms_[a].body);
      const double* values = inverseArmValues_.data() + arms_[a].firstValue;
      double* const v = magnitudes.data() + bodyStarts_[arms_[a].body];
      for (std::size_t j = 0; j < dimension_; ++j, values += n) {
        for (std::size_t i = 0; i < n; ++i) v[i] += std::abs(values[i] * r[c * dimension_ + j]);
      }
    }
  }
  for (std::size_t c = 0; c < contacts; ++c) {
    std::size_t coordinates = 0;
    for (std::size_t a = contactStarts_[c]; a < contactStarts_[c + 1]; ++a) coordinates += bodySize(arms_[a].body);
    for (std::size_t a = contactStarts_[c]; a < contactStarts_[c + 1]; ++a) {
      const std::size_t n = bodySize(arms_[a].body);
      const double unit = epsilon * static_cast<double>(termsOfBodies_[arms_[a].body] + coordinates + 4);
      const double* values = armValues_.data() + arms_[a].firstValue;
      const double* const v = magnitudes.data() + bodyStarts_[arms_[a].body];
      for (std::size_t j = 0; j < dimension_; ++j, values += n) {
        for (std::size_t i = 0; i < n; ++i) bound[c * dimension_ + j] += unit * std::abs(values[i]) * v[i];
      }
    }
  }
}

void FactoredDelassus::diagonalBlock(std::size_t contact, double* block) const {
  std::fill_n(block, dimension_ * dimension_, 0.);
  for (std::size_t a = contactStarts_[contact]; a < contactStarts_[contact + 1]; ++a) {
    const std::size_t n = bodySize(arms_[a].body);
    const double* const left = armValues_.data() + arms_[a].firstValue;
    const double* const right = inverseArmValues_.data() + arms_[a].firstValue;
    for (std::size_t j = 0; j < dimension_; ++j) {
      for (std::size_t i = 0; i < dimension_; ++i) {
        for (std::size_t l = 0; l < n; ++l) block[i + j * dimension_] += left[l + i * n] * right[l + j * n];
      }
    }
  }
}

void FactoredDelassus::assemble(BlockSparseMatrix& W) const {
  const std::size_t contacts = contactStarts_.size() - 1;
  struct Touch {
    std::size_t contact, arm;
  };
  std::vector<std::vector<Touch>> ofBody(inverseMasses_.size());
  for (std::size_t c = 0; c < contacts; ++c) {
    for (std::size_t a = contactStarts_[c]; a < contactStarts_[c + 1]; ++a) ofBody[arms_[a].body].push_back({c, a});
  }
  W.clear();
  std::vector<std::size_t> neighbours;
  for (std::size_t c = 0; c < contacts; ++c) {
    neighbours.assign(1, c);
    for (std::size_t a = contactStarts_[c]; a < contactStarts_[c + 1]; ++a) {
      for (const Touch& touch : ofBody[arms_[a].body]) neighbours.push_back(touch.contact);
    }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    W.beginRow(dimension_);
    for (const std::size_t other : neighbours) W.addBlock(other);
  }
  W.finish();
  for (std::size_t c = 0; c < contacts; ++c) {
    for (std::size_t a = contactStarts_[c]; a < contactStarts_[c + 1]; ++a) {
      const std::size_t n = bodySize(arms_[a].body);
      const double* const left = armValues_.data() + arms_[a].firstValue;
      for (const Touch& touch : ofBody[arms_[a].body]) {
        const double* const right = inverseArmValues_.data() + arms_[touch.arm].firstValue;
        std::size_t k = W.rowBegin(c);
        while (W.column(k) != touch.contact) ++k;
        double* const block = W.block(k);
        for (std::size_t j = 0; j < dimension_; ++j) {
          for (std::size_t i = 0; i < dimension_; ++i) {
            for (std::size_t l = 0; l < n; ++l) block[i + j * dimension_] += left[l + i * n] * right[l + j * n];
          }
        }
      }
    }
  }
  W.touch();
}

std::unique_ptr<DelassusSweep> FactoredDelassus::sweep() const {
  return std::make_unique<FactoredSweep>(*this);
}

void FactoredDelassus::validate() const {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(inverseArmValues_.begin(), inverseArmValues_.end(), finite) ||
      !std::all_of(armValues_.begin(), armValues_.end(), finite)) {
    throw Error("FactoredDelassus", "expected finite numbers, but H or M⁻¹ H has an entry that is not.");
  }
}

}  // namespace delassus::numerics
