// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/model/Interaction.hpp>

#include <algorithm>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Memory.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>

namespace delassus {
namespace {

std::string label(const std::string& name) {
  return name.empty() ? "Interaction" : "Interaction '" + name + "'";
}

void requireLevel(std::size_t level, std::size_t levels, const std::string& name) {
  if (level < levels) return;
  throw Error(label(name), "asked for level " + std::to_string(level) + "; there " +
                               (levels == 1 ? "is only level 0, between first-order systems."
                                            : "are levels 0 (position) and 1 (velocity)."));
}

}  // namespace

Interaction::Interaction(std::shared_ptr<NonSmoothLaw> law, std::shared_ptr<Relation> relation)
    : law_(std::move(law)), relation_(std::move(relation)) {
  if (!law_) throw Error("Interaction", "the nonsmooth law is null.");
  if (!relation_) throw Error("Interaction", "the relation is null.");
  const std::size_t size = relation_->size();
  if (size == 0 || size % law_->size() != 0) {
    throw Error("Interaction", "the relation " + std::string(relation_->className()) + " has " + std::to_string(size) +
                                   " outputs, which is not a multiple of the size " + std::to_string(law_->size()) +
                                   " of the law " + std::string(law_->className()) + ".");
  }
  memoryFor("Interaction", std::to_string(size) + " outputs", [&] {
    for (std::size_t level = 0; level < maxLevels; ++level) {
      y_[level] = Vector(size);
      lambda_[level] = Vector(size);
    }
    active_.assign(size / law_->size(), 0);
  });
}

const Vector& Interaction::y(std::size_t level) const {
  requireLevel(level, levels_, name_);
  return y_[level];
}

const Vector& Interaction::lambda(std::size_t level) const {
  requireLevel(level, levels_, name_);
  return lambda_[level];
}

bool Interaction::isActive(std::size_t block) const {
  if (block >= active_.size()) {
    throw Error(label(name_), "asked for block " + std::to_string(block) + " of the law, but there are " +
                                  std::to_string(active_.size()) + ".");
  }
  return active_[block] != 0;
}

void Interaction::reset() {
  for (std::size_t level = 0; level < maxLevels; ++level) setZero(lambda_[level]);
  std::fill(active_.begin(), active_.end(), static_cast<char>(0));
  fitted_ = false;
}

void Interaction::requireConfiguration(double t, const Vector& q) {
  if (fitted_) return;
  SecondOrderR* const relation = relation_->secondOrder();
  const bool isEquality = law_->set()->isFree() && !law_->actsOnVelocities();
  if (relation != nullptr && (isEquality || !relation->isCoordinate())) {
    // Contacts come and go in every step of a pile: their names are put together without heap traffic.
    static thread_local std::string label;
    label.assign("Interaction '").append(name_).append("'");
    relation->checkConfiguration(t, q, label);
  }
  fitted_ = true;
}

bool Interaction::isActive() const {
  return std::any_of(active_.begin(), active_.end(), [](char flag) { return flag != 0; });
}

void Interaction::serializeState(StateArchive& archive) {
  for (std::size_t level = 0; level < maxLevels; ++level) {
    archive.fixedSize("y", y_[level]);
    archive.fixedSize("lambda", lambda_[level]);
  }
  archive.value("active", active_);
  if (active_.size() != size() / law_->size()) archive.refuse("it has another number of contacts.");
  archive.value("fitted", fitted_);
  relation_->serializeState(archive);
}

}  // namespace delassus
