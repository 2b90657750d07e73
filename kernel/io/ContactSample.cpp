// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/ContactSample.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

// Fraction of the cone's radius from which a force counts as on the cone: solvers that approach it from inside stop
// short of it.
constexpr double onTheCone = 1. - 1e-3;

ContactStatus statusOf(const NonSmoothLaw& law, const double* lambda) {
  if (!(lambda[0] > 0.)) return ContactStatus::open;
  const auto used = law.set()->usedResistance(lambda, law.size());
  if (!used) return ContactStatus::closed;
  if ((*used)[0] >= onTheCone) return ContactStatus::slip;
  return (*used)[1] >= onTheCone ? ContactStatus::rolling : ContactStatus::stick;
}

// The rows from `first` on, as far as there are, along the axes of the frame.
Vector3 inSpace(const Matrix3& frame, std::size_t rows, const double* values, std::size_t first) {
  Vector3 sum{};
  for (std::size_t axis = first; axis < rows; ++axis) sum += values[axis] * column(frame, axis);
  return sum;
}

}  // namespace

std::string_view toString(ContactStatus status) {
  constexpr std::string_view words[] = {"open", "closed", "stick", "slip", "rolling"};
  return words[static_cast<std::size_t>(status)];
}

void appendContacts(const Interaction& interaction, const std::vector<ContactPoint>& places,
                    std::vector<ContactSample>& samples) {
  const NonSmoothLaw& law = interaction.law();
  const std::string label = "Contacts of interaction '" + interaction.name() + "'";
  if (!law.actsOnVelocities() || interaction.levels() < 2) {
    throw Error(label, "its law " + std::string(law.className()) + " is none of contacts between mechanical systems.");
  }
  if (places.size() != interaction.blocks()) {
    throw Error(label, "there must be " + std::to_string(interaction.blocks()) + " places, one for each of them, got " +
                           std::to_string(places.size()) + ".");
  }
  const std::size_t rows = std::min<std::size_t>(law.size(), 3);
  for (std::size_t block = 0; block < places.size(); ++block) {
    const std::size_t row = block * law.size();
    const double* const force = data(interaction.lambda(0)) + row;
    const double* const impulse = data(interaction.lambda(1)) + row;
    const Matrix3 frame = places[block].frame();
    ContactSample sample;
    sample.place = places[block];
    sample.block = block;
    sample.status = statusOf(law, force[0] > 0. ? force : impulse);
    sample.gap = interaction.y(0)(row);
    sample.normalForce = force[0];
    sample.force = inSpace(frame, rows, force, 0);
    sample.tangentialForce = inSpace(frame, rows, force, 1);
    sample.impulse = inSpace(frame, rows, impulse, 0);
    sample.slidingVelocity = inSpace(frame, rows, data(interaction.y(1)) + row, 1);
    samples.push_back(sample);
  }
}

}  // namespace delassus
