// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <numbers>

// A rattleback: an ellipsoid whose principal axes of inertia are turned against those of its surface. Spun the wrong
// way it begins to rattle, stops, and turns back. The stone of Kane and Levinson (Int. J. Non-Linear Mechanics 17,
// 1982).

namespace delassus {
namespace {

constexpr double gravity = 9.81, mass = 1., below = 0.01;  // of the centre of mass below that of the ellipsoid, m
const Vector3 half{0.2, 0.03, 0.02};
const Matrix3 inertia{0.0002, -0.00002, 0., -0.00002, 0.0016, 0., 0., 0., 0.0017};

// Rolling without slip, in the frame of the stone: with n the vertical there, the contact at r(n) from the centre of
// mass, v = −ω × r,
//
//     ṅ = n × ω,    (I + m (r² 1 − r rᵀ)) ω̇ = −ω × Iω + m r × (ω × v − ω × ṙ) + m g r × n.
struct RollingStone {
  Vector3 n, omega;

  static Vector3 contact(const Vector3& up) {
    const Vector3 scaled{half[0] * up[0], half[1] * up[1], half[2] * up[2]};
    const double length = norm(scaled);
    return {-half[0] * scaled[0] / length, -half[1] * scaled[1] / length, below - half[2] * scaled[2] / length};
  }
  RollingStone rate() const {
    constexpr double step = 1e-6;
    const Vector3 turning = cross(n, omega), r = contact(n), v = -cross(omega, r);
    const Vector3 moving = 0.5 / step * (contact(n + step * turning) - contact(n - step * turning));
    const Vector3 moment = -cross(omega, multiply(inertia, omega)) +
                           mass * cross(r, cross(omega, v) - cross(omega, moving)) + mass * gravity * cross(r, n);
    Matrix3 about = inertia;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) about[i + 3 * j] += mass * ((i == j ? dot(r, r) : 0.) - r[i] * r[j]);
    }
    const Vector3 a = column(about, 0), b = column(about, 1), c = column(about, 2);
    const double determinant = dot(a, cross(b, c));
    return {turning,
            1. / determinant * Vector3{dot(moment, cross(b, c)), dot(a, cross(moment, c)), dot(a, cross(b, moment))}};
  }
  RollingStone moved(const RollingStone& rate, double step) const {
    return {n + step * rate.n, omega + step * rate.omega};
  }
  // Runge and Kutta's method of order 4.
  void advance(double h) {
    const RollingStone a = rate(), b = moved(a, 0.5 * h).rate(), c = moved(b, 0.5 * h).rate(), d = moved(c, h).rate();
    n += h / 6. * (a.n + 2. * b.n + 2. * c.n + d.n);
    omega += h / 6. * (a.omega + 2. * b.omega + 2. * c.omega + d.omega);
  }
};

struct Rattleback {
  NonSmoothDynamicalSystem model{0., 10.};
  std::shared_ptr<CollisionManager> manager =
      std::make_shared<CollisionManager>(1e-3, NewtonImpactFrictionNSL(0., 0., 10.));
  std::shared_ptr<NewtonEulerDS> stone;
  RollingStone reference;

  // Tilted by half a degree both ways, at 5 rad/s in the direction that does not last.
  Rattleback() {
    const double tilt = 0.5 / 180. * std::numbers::pi;
    const Quaternion p = rotations::exponential({tilt, tilt, 0.});
    const Matrix3 R = rotations::rotationMatrix(p);
    reference = {multiplyTransposed(R, Vector3{0., 0., 1.}), {0., 0., -5.}};
    const Vector3 r = RollingStone::contact(reference.n), v = multiply(R, -cross(reference.omega, r));
    const double height = -multiply(R, r)[2];
    Matrix I(3, 3);
    for (std::size_t k = 0; k < 9; ++k) I.data()[k] = inertia[k];
    stone = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., height}, p),
                                            makeVector({v[0], v[1], v[2], 0., 0., -5.}), mass, I);
    model.setGravity({0., 0., -gravity});
    model.insert("stone", stone);
    manager->insert(stone, EllipsoidShape(half[0], half[1], half[2]), Placement::at({0., 0., below}));
  }
  double energy() const { return stone->kineticEnergy() + mass * gravity * stone->q()(2); }
};

// The error of ω after `end` seconds with steps h.
double errorOf(double h, double end, const std::shared_ptr<const Shape>& floor, const Vector3& at) {
  Rattleback rattleback;
  rattleback.manager->insertObstacle(floor, at);
  TimeStepping simulation(rattleback.model, h);
  simulation.setInteractionManager(rattleback.manager);
  while (simulation.time() < end - 0.5 * h) simulation.step();
  for (int k = 0; k < std::lround(end / 1e-4); ++k) rattleback.reference.advance(1e-4);
  return norm(rattleback.stone->angularVelocity() - rattleback.reference.omega);
}

// On a half-space, on a box, and on another ellipsoid, so large that it is flat here.
TEST(Rattleback, RollsAsItsEquationsSayWithOrderTwo) {
  const double coarse = errorOf(1e-3, 0.5, shareShape(Plane{}), {});
  EXPECT_LT(coarse, 0.1);  // of 5 rad/s, rattling at 15
  const double fine = errorOf(5e-4, 0.5, shareShape(Plane{}), {});
  EXPECT_NEAR(coarse / fine, 4., 0.5);
  EXPECT_NEAR(errorOf(1e-3, 0.5, shareShape(BoxShape(4., 4., 0.2)), {0., 0., -0.1}), coarse, 1e-6);
  EXPECT_NEAR(errorOf(1e-3, 0.5, shareShape(EllipsoidShape(1e5, 1e5, 1e5)), {0., 0., -1e5}), coarse, 1e-3);
}

TEST(Rattleback, TurnsBackAndKeepsItsEnergy) {
  Rattleback rattleback;
  rattleback.manager->insertObstacle(Plane{});
  TimeStepping simulation(rattleback.model, 5e-4);
  simulation.setInteractionManager(rattleback.manager);
  const double begin = rattleback.energy();
  double before = 0., lost = 0., won = 0.;
  for (int k = 0; k < 10000; ++k) {
    simulation.step();
    const double spin = rattleback.stone->angularVelocity()[2];
    if (before < 0. && spin >= 0.) lost = simulation.time();
    won = std::max(won, spin);
    before = spin;
    EXPECT_NEAR(rattleback.stone->q()(2), 0.01, 0.01);
  }
  EXPECT_NEAR(lost, 2.8, 0.5);  // the equations have it at about 2.8 s, between swings of the rattle
  EXPECT_GT(won, 3.5);
  EXPECT_NEAR(rattleback.energy(), begin, 0.02 * begin);
}

}  // namespace
}  // namespace delassus
