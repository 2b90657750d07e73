// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/distributed/Grain.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <variant>

namespace delassus::distributed {
namespace {

constexpr double pi = 3.141592653589793;
enum ShapeCode { ball = 0, box = 1 };

template <class Values>
void append(Packet& packet, const Values& values) {
  packet.insert(packet.end(), values.begin(), values.end());
}

}  // namespace

Grain Grain::ball(std::uint64_t number, double radius, double density, const Vector3& x) {
  Grain grain;
  grain.number = number;
  grain.shape = SphereShape(radius);
  grain.mass = 4. / 3. * pi * radius * radius * radius * density;
  grain.inertia = NewtonEulerDS::ballInertia(grain.mass, radius);
  grain.q = NewtonEulerDS::at(x);
  return grain;
}

Grain Grain::box(std::uint64_t number, double lx, double ly, double lz, double density, const Vector3& x,
                 const Quaternion& p) {
  Grain grain;
  grain.number = number;
  grain.shape = BoxShape(lx, ly, lz);
  grain.mass = lx * ly * lz * density;
  grain.inertia = NewtonEulerDS::boxInertia(grain.mass, lx, ly, lz);
  grain.q = NewtonEulerDS::at(x, p);
  return grain;
}

std::shared_ptr<NewtonEulerDS> Grain::body() const {
  if (std::holds_alternative<Plane>(shape)) {
    throw Error(name(), "a plane cannot move; insert it as an obstacle.");
  }
  try {
    auto body = std::make_shared<NewtonEulerDS>(q, v, mass, inertia);
    body->setName(name());
    return body;
  } catch (const Error& error) {
    throw Error(name(), error.what());
  }
}

void Grain::write(Packet& packet) const {
  packet.push_back(static_cast<double>(number));
  packet.push_back(static_cast<double>(group));
  if (const auto* const sphere = std::get_if<SphereShape>(&shape)) {
    append(packet, Vector3{static_cast<double>(ShapeCode::ball), sphere->radius(), 0.});
    packet.push_back(0.);
  } else {
    packet.push_back(static_cast<double>(ShapeCode::box));
    append(packet, 2. * std::get<BoxShape>(shape).halfEdges());
  }
  packet.push_back(mass);
  append(packet, inertia.data());
  append(packet, q);
  append(packet, v);
}

Grain Grain::read(PacketReader& packet) {
  Grain grain;
  grain.number = packet.count();
  grain.group = packet.count();
  const std::size_t code = packet.count();
  const double* const sizes = packet.numbers(3);
  if (code == static_cast<std::size_t>(ShapeCode::ball)) {
    grain.shape = SphereShape(sizes[0]);
  } else if (code == static_cast<std::size_t>(ShapeCode::box)) {
    grain.shape = BoxShape(sizes[0], sizes[1], sizes[2]);
  } else {
    throw Error(grain.name(), "its shape is a ball (0) or a box (1), but " + std::to_string(code) + " came.");
  }
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
