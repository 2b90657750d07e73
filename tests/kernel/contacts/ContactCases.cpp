// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/kernel/contacts/CylinderPlane.hpp>
#include <delassus/kernel/contacts/Disk.hpp>
#include <delassus/kernel/contacts/PointsPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/contacts/SurfacePoint.hpp>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <kernel/contacts/ContactCases.hpp>

namespace delassus::test {
namespace {

constexpr double step = 1e-7;

struct Placement {
  Vector3 x;
  Quaternion p;

  Vector3 place(const Vector3& local) const { return x + rotations::rotate(p, local); }
  Vector3 local(const Vector3& point) const { return rotations::rotateBack(p, point - x); }
};

// Moves and turns all ways at once; p is not normalised.
constexpr auto tumbling = [](const auto& t, auto& q) {
  using std::cos;
  using std::sin;
  q(0) = 0.3 * sin(2. * t);
  q(1) = 0.2 * t;
  q(2) = 0.1 * cos(3. * t) - 0.2;
  q(3) = 2. + 0.1 * t;
  q(4) = 0.3 * sin(t);
  q(5) = 0.4 * cos(t);
  q(6) = 0.2 * t;
};

Placement placementOf(const Vector& q, const Vector& v, std::size_t body, double dt) {
  const double* const x = data(q) + 7 * body;
  const double* const twist = data(v) + 6 * body;
  return {vector3(x) + dt * vector3(twist),
          rotations::product({x[3], x[4], x[5], x[6]}, rotations::exponential(dt * vector3(twist + 3)))};
}

Placement placementOf(const ContactCase& contact, double t) {
  if (!contact.motion) return {{}, {1., 0., 0., 0.}};
  Vector q(7);
  contact.motion(t, q);
  return {vector3(data(q)), rotations::normalised({q(3), q(4), q(5), q(6)})};
}

Vector3 velocity(const Placement& before, const Placement& now, const Placement& after, const Vector3& point) {
  const Vector3 local = now.local(point);
  return 0.5 / step * (after.place(local) - before.place(local));
}

// From the velocities of three points: 2ω = Σ e_i × (ω × e_i).
Vector3 rotation(const Placement& before, const Placement& now, const Placement& after) {
  Vector3 twice{};
  const Vector3 origin = velocity(before, now, after, now.x);
  for (std::size_t i = 0; i < 3; ++i) {
    Vector3 e{};
    e[i] = 1.;
    twice += cross(e, velocity(before, now, after, now.x + e) - origin);
  }
  return 0.5 * twice;
}

}  // namespace

std::vector<ContactCase> contactCases() {
  const auto motion = [](double t, Vector& q) { tumbling(t, q); };
  const Plane inclined = Plane::through({0.1, 0., -0.3}, {0.2, -0.3, 1.}, {1., 0.5, 0.});
  const MovingPlane moving(inclined, automatic(tumbling));
  const std::vector<Vector3> tetrahedron = {{0.4, 0., -0.2}, {-0.2, 0.3, -0.2}, {-0.2, -0.3, -0.2}, {0., 0., 0.5}};
  return {
      {"SpherePlane", std::make_shared<SpherePlane>(0.2, inclined), {}},
      {"SphereOffCentre", std::make_shared<SpherePlane>(0.2, inclined, Vector3{0.1, 0.3, -0.2}), {}},
      {"SphereMovingPlane", std::make_shared<SpherePlane>(0.2, moving, Vector3{0.1, 0.3, -0.2}), motion},
      {"SphereSphere", std::make_shared<SphereSphere>(0.2, 0.5), {}},
      {"SpheresOffCentre",
       std::make_shared<SphereSphere>(0.2, 0.5, Vector3{0.1, 0.3, -0.2}, Vector3{-0.2, 0.1, 0.1}),
       {}},
      {"BoxPlane", std::make_shared<BoxPlane>(0.3, 0.5, 0.7, inclined), {}},
      {"BoxMovingPlane", std::make_shared<BoxPlane>(0.3, 0.5, 0.7, moving), motion},
      {"PointsPlane", std::make_shared<PointsPlane>(tetrahedron, inclined, 0.05), {}},
      {"CylinderPlane", std::make_shared<CylinderPlane>(0.3, 0.8, inclined), {}},
      {"CylinderMovingPlane", std::make_shared<CylinderPlane>(0.3, 0.8, moving), motion},
      {"SphereOnMovingPlane", std::make_shared<SurfacePoint>(SpherePlane(0.2, moving, Vector3{0.1, 0.3, -0.2})),
       motion},
      {"BoxOnMovingPlane",
       std::make_shared<SurfacePoint>(BoxPlane(0.3, 0.5, 0.7, moving), SurfacePoint::Of::secondBody), motion},
      {"SphereOnSphere",
       std::make_shared<SurfacePoint>(SphereSphere(0.2, 0.5, Vector3{0.1, 0.3, -0.2}, Vector3{-0.2, 0.1, 0.1})),
       {}},
      {"DiskPlane", std::make_shared<DiskPlane>(0.3, inclined, Vector3{0.1, -0.2, 1.}, Vector3{0.1, 0., 0.2}), {}},
      {"DiskMovingPlane", std::make_shared<DiskPlane>(0.3, moving), motion},
      {"DiskDisk",
       std::make_shared<DiskDisk>(0.3, 0.4, Vector3{0., 0., 1.}, Vector3{0.1, 0.2, 0.}, Vector3{0.2, 0., 0.}),
       {}},
  };
}

Vector randomConfiguration(std::size_t bodies, std::mt19937& random) {
  std::uniform_real_distribution<double> place(-0.4, 0.4);
  std::normal_distribution<double> normal;
  Vector q(7 * bodies);
  for (std::size_t body = 0; body < bodies; ++body) {
    for (std::size_t i = 0; i < 3; ++i) q(7 * body + i) = place(random) + 2. * static_cast<double>(body);
    const Quaternion p = rotations::normalised({normal(random), normal(random), normal(random), normal(random)});
    for (std::size_t i = 0; i < 4; ++i) q(7 * body + 3 + i) = p[i];
  }
  return q;
}

Vector3 matterVelocity(const Vector& q, const Vector& v, std::size_t body, const Vector3& point) {
  return velocity(placementOf(q, v, body, -step), placementOf(q, v, body, 0.), placementOf(q, v, body, step), point);
}

Vector3 inertialRotation(const Vector& q, const Vector& v, std::size_t body) {
  return rotation(placementOf(q, v, body, -step), placementOf(q, v, body, 0.), placementOf(q, v, body, step));
}

Vector3 obstacleVelocity(const ContactCase& contact, double t, const Vector3& point) {
  return velocity(placementOf(contact, t - step), placementOf(contact, t), placementOf(contact, t + step), point);
}

Vector3 obstacleRotation(const ContactCase& contact, double t) {
  return rotation(placementOf(contact, t - step), placementOf(contact, t), placementOf(contact, t + step));
}

}  // namespace delassus::test
