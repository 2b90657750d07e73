// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/distributed/Grain.hpp>

#include <algorithm>
#include <delassus/kernel/shapes/ConvexShapes.hpp>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace delassus::distributed {
namespace {

template <class Values>
void append(Packet& packet, const Values& values) {
  packet.insert(packet.end(), values.begin(), values.end());
}

void requireConvex(const Grain& grain) {
  if (grain.shape != nullptr && grain.shape->convex() != nullptr) return;
  throw Error(grain.name(), "its shape must be convex, got " +
                                (grain.shape ? std::string(grain.shape->className()) : std::string("none")) + ".");
}

}  // namespace

Grain Grain::of(std::uint64_t number, std::shared_ptr<const Shape> shape, double density, const Vector3& x,
                const Quaternion& p) {
  Grain grain;
  grain.number = number;
  grain.shape = std::move(shape);
  requireConvex(grain);
  if (!isAboutCentreOfMass(*grain.shape)) {
    throw Error(grain.name(), "the centre of mass of its shape must be the origin of that.");
  }
  const auto body = NewtonEulerDS::ofShape(*grain.shape, density, x, p);
  grain.mass = body->scalarMass();
  grain.inertia = body->inertia();
  grain.q = body->q();
  return grain;
}

Grain Grain::ball(std::uint64_t number, double radius, double density, const Vector3& x) {
  return of(number, std::make_shared<const SphereShape>(radius), density, x);
}

Grain Grain::box(std::uint64_t number, double lx, double ly, double lz, double density, const Vector3& x,
                 const Quaternion& p) {
  return of(number, std::make_shared<const BoxShape>(lx, ly, lz), density, x, p);
}

std::shared_ptr<NewtonEulerDS> Grain::body() const {
  requireConvex(*this);
  try {
    auto body = std::make_shared<NewtonEulerDS>(q, v, mass, inertia);
    body->setName(name());
    return body;
  } catch (const Error& error) {
    throw Error(name(), error.what());
  }
}

void Grain::write(Packet& packet) const {
  requireConvex(*this);
  packet.push_back(static_cast<double>(number));
  packet.push_back(static_cast<double>(group));
  const std::span<const std::string_view> names = convexShapeNames();
  const auto name = std::find(names.begin(), names.end(), shape->className());
  if (name == names.end()) {
    throw Error(this->name(), "a shape of class " + std::string(shape->className()) +
                                  " cannot be sent to another rank; take one of the library.");
  }
  const std::vector<double> parameters = shape->convex()->parameters();
  packet.push_back(static_cast<double>(name - names.begin()));
  packet.push_back(static_cast<double>(parameters.size()));
  append(packet, parameters);
  packet.push_back(mass);
  append(packet, inertia.data());
  append(packet, q);
  append(packet, v);
}

Grain Grain::read(PacketReader& packet) {
  Grain grain;
  grain.number = packet.count();
  grain.group = packet.count();
  const std::size_t code = packet.count(), size = packet.count();
  const double* const parameters = packet.numbers(size);
  if (code >= convexShapeNames().size()) {
    throw Error(grain.name(), "its shape is one of " + std::to_string(convexShapeNames().size()) +
                                  " classes, counted from 0, but " + std::to_string(code) + " came.");
  }
  grain.shape = makeConvexShape(convexShapeNames()[code], {parameters, size});
  grain.mass = packet.number();
  grain.inertia = Matrix(3, 3);
  std::copy_n(packet.numbers(9), 9, grain.inertia.data().begin());
  grain.q.resize(7);
  std::copy_n(packet.numbers(7), 7, grain.q.begin());
  grain.v.resize(6);
  std::copy_n(packet.numbers(6), 6, grain.v.begin());
  return grain;
}

// Each number is known to one rank, whoever has the grain.
void requireDistinctNumbers(const Ranks& ranks, const std::vector<Grain>& own) {
  Packets numbers;
  for (const Grain& grain : own) numbers[grain.number % ranks.size()].push_back(static_cast<double>(grain.number));
  const Packets received = sendPackets(ranks, numbers);
  ranks.agree([&] {
    std::set<double> known;
    for (const auto& [rank, packet] : received) {
      for (const double number : packet) {
        if (known.insert(number).second) continue;
        throw Error("GranularSimulation", "two grains have the number " +
                                              std::to_string(static_cast<std::uint64_t>(number)) +
                                              "; each needs one of its own.");
      }
    }
  });
}

}  // namespace delassus::distributed
