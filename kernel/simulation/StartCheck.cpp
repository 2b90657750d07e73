// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/StartCheck.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace delassus {
namespace {

constexpr double partOfBody = 1e-2;
constexpr double partOfGap = 1e-2;
constexpr double stepsOfMotion = 25.;
constexpr double leastDepth = 1e-9;  // as EventDriven counts a gap as closed

/// A contact between mechanical systems, at the present state of these.
class StartingContact {
 public:
  StartingContact(const Topology& topology, Interaction& interaction, double t)
      : parts_(topology.partsOf(interaction)),
        relation_(*interaction.relation().secondOrder()),
        t_(t),
        q_(stackedStates(parts_)),
        force_(interaction.size()),
        G_(interaction.size(), velocities()) {
    relation_.computeJacobian(t_, q_, force_, G_);
  }

  /// Σ |G q| of a row; 0 where velocities are not rates of coordinates.
  double terms(std::size_t row) const {
    double sum = 0.;
    for (std::size_t j = 0; j < q_.size() && q_.size() == G_.size2(); ++j) sum += std::abs(G_(row, j) * q_(j));
    return sum;
  }

  /// h (u + h a) of a row, with Σ |G F|/diag M for a.
  double motion(std::size_t row, double h) const {
    double rate = 0., acceleration = 0.;
    std::size_t column = 0;
    for (const SystemPart& part : parts_) {
      SecondOrderDS& system = *part.system()->secondOrder();
      Vector force;
      SquareMatrix mass;
      system.forces(t_, system.q(), system.velocity(), force);
      system.mass(t_, system.q(), mass);
      const std::size_t first = part.isWhole() ? 0 : part.first();
      for (std::size_t j = 0; j < part.velocity().size(); ++j, ++column) {
        rate += G_(row, column) * part.velocity()[j];
        acceleration += std::abs(G_(row, column) * force(first + j)) / mass.diagonal(first + j);
      }
    }
    return h * (std::max(-rate, 0.) + h * acceleration);
  }

  /// The output of a row, moved along its own row of G by `way`, minus the output before; none where G is zero, q has
  /// other coordinates, or the relation is not known there.
  std::optional<double> change(std::size_t row, double way) const {
    double square = 0.;
    for (std::size_t j = 0; j < G_.size2(); ++j) square += G_(row, j) * G_(row, j);
    if (!(square > 0.) || q_.size() != G_.size2()) return std::nullopt;
    Vector moved = q_, before(force_.size()), after(force_.size());
    for (std::size_t j = 0; j < q_.size(); ++j) moved(j) += way * G_(row, j) / square;
    try {
      relation_.computeOutput(t_, q_, force_, before);
      relation_.computeOutput(t_, moved, force_, after);
    } catch (const std::exception&) {
      return std::nullopt;
    }
    const double change = after(row) - before(row);
    return std::isfinite(change) ? std::optional(change) : std::nullopt;
  }

  /// A way that is short beside the coordinates.
  double shortWay() const { return 1e-6 * std::max(normInf(q_), 1e-3); }

 private:
  std::size_t velocities() const {
    std::size_t sum = 0;
    for (const SystemPart& part : parts_) sum += part.velocity().size();
    return sum;
  }

  std::vector<SystemPart> parts_;
  SecondOrderR& relation_;
  double t_;
  Vector q_, force_;
  Matrix G_;
};

// A contact that is rigid.
bool isContact(Interaction& interaction) {
  const SecondOrderR* const relation = interaction.relation().secondOrder();
  return relation != nullptr && !relation->isCompliant() && interaction.law().actsOnVelocities();
}

// The rows of one application of the law, from the first on.
void requireGapFirst(const StartingContact& contact, const Interaction& interaction, const Vector& y,
                     std::size_t first) {
  const double way = contact.shortWay();
  const std::optional<double> ofFirst = contact.change(first, way);
  if (!ofFirst || std::abs(*ofFirst) > 1e-3 * way) return;
  for (std::size_t row = first + 1; row < first + interaction.law().size(); ++row) {
    const std::optional<double> change = y(row) > 0. ? contact.change(row, way) : std::nullopt;
    if (!change || std::abs(*change - way) > 0.1 * way) continue;
    throw Error("Interaction '" + interaction.name() + "'",
                "the first row of a contact with friction must be its gap, the others tangential. Output " +
                    std::to_string(first) +
                    " is 0 and stays 0 along its own row of the Jacobian, so that it is no gap, but output " +
                    std::to_string(row) + " = " + toText(y(row)) + " is one.");
  }
}

void checkRows(const Topology& topology, Interaction& interaction, double t) {
  const std::size_t rows = interaction.law().size();
  SecondOrderR* const relation = interaction.relation().secondOrder();
  if (!isContact(interaction) || rows == 1 || relation->hasMemory()) return;
  const Vector& y = interaction.y(0);
  for (std::size_t first = 0; first < y.size(); first += rows) {
    if (y(first) != 0. || std::none_of(&y(first), &y(first) + rows, [](double output) { return output > 0.; }))
      continue;
    requireGapFirst(StartingContact(topology, interaction, t), interaction, y, first);
  }
}

// What the depth of a contact is measured by; 0 where nothing is known.
double depthScaleOf(const Topology& topology, Interaction& interaction) {
  double smallest = 0.;
  for (const SystemPart& part : topology.partsOf(interaction)) {
    const double length = part.system()->secondOrder()->length();
    if (length > 0. && (smallest == 0. || length < smallest)) smallest = length;
  }
  return interaction.relation().secondOrder()->depthScale(smallest);
}

// An equality between the two systems of a contact; null where there is none.
const Interaction* jointOf(const Topology& topology, const Interaction& contact) {
  const auto systems = topology.systemsOf(contact);
  if (systems.size() != 2) return nullptr;
  for (const auto& other : topology.interactionsOf(*systems[0])) {
    const auto joined = topology.systemsOf(*other);
    const bool isJoint = other->law().set()->isFree() && !other->law().actsOnVelocities();
    if (isJoint && std::find(joined.begin(), joined.end(), systems[1]) != joined.end()) return other.get();
  }
  return nullptr;
}

// Six digits are enough.
std::string describe(const Topology& topology, const Interaction& contact, double depth, double length) {
  std::ostringstream text;
  text << "the contact '" << contact.name() << "' is " << depth << " deep";
  if (length > 0.) text << ", " << depth / length << " of its size";
  if (const Interaction* const joint = jointOf(topology, contact)) {
    text << ", between bodies that '" << joint->name()
         << "' holds together: CollisionManager::exclude lets such groups pass through each other";
  }
  return text.str();
}

}  // namespace

void checkStart(const NonSmoothDynamicalSystem& model, double t) {
  const Topology& topology = model.topology();
  for (const auto& system : topology.systems()) {
    if (SecondOrderDS* const body = system->secondOrder()) body->checkStart(t);
  }
  for (const auto& interaction : topology.interactions()) checkRows(topology, *interaction, t);
}

std::string describeDeepStart(const NonSmoothDynamicalSystem& model, double t, double h) {
  const Topology& topology = model.topology();
  double worst = 1.;
  std::string clause;
  for (const auto& interaction : topology.interactions()) {
    if (!isContact(*interaction)) continue;
    const Vector& y = interaction->y(0);
    for (std::size_t row = 0; row < y.size(); row += interaction->law().size()) {
      if (!(y(row) < -leastDepth)) continue;
      const double length = depthScaleOf(topology, *interaction);
      double limit = partOfBody * length;
      if (length == 0.) {
        const StartingContact contact(topology, *interaction, t);
        limit = std::max(partOfGap * contact.terms(row), stepsOfMotion * contact.motion(row, h));
      }
      if (!(-y(row) > worst * limit)) continue;
      worst = limit > 0. ? -y(row) / limit : worst;
      clause = describe(topology, *interaction, -y(row), length);
    }
  }
  return clause;
}

}  // namespace delassus
