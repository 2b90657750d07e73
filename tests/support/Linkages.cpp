// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/relations/joints/PrismaticJointR.hpp>
#include <support/Linkages.hpp>

namespace delassus::test {
namespace {

const Vector3 axis{0., 1., 0.};

// Angular velocity about y of a rod that turns at `rate` from x towards z.
Vector twist(double vx, double vz, double rate) {
  return makeVector({vx, 0., vz, 0., -rate, 0.});
}

double rodMoment(double mass, double length, double thickness) {
  return mass / 12. * (length * length + thickness * thickness);
}

}  // namespace

std::shared_ptr<NewtonEulerDS> makeRod(const Vector3& from, const Vector3& to, double mass, double gravity,
                                       double thickness) {
  const Vector3 way = to - from;
  const double length = norm(way);
  // Turns z about y into the direction of the rod.
  const double angle = std::atan2(way[0], way[2]);
  const Vector q = NewtonEulerDS::at(0.5 * (from + to), {std::cos(angle / 2.), 0., std::sin(angle / 2.), 0.});
  const auto rod = std::make_shared<NewtonEulerDS>(q, Vector(6), mass,
                                                   NewtonEulerDS::boxInertia(mass, thickness, thickness, length));
  rod->setExternalForces(makeVector({0., 0., -mass * gravity}));
  return rod;
}

SpatialSliderCrank::SpatialSliderCrank(double angle, double rate, double end) : model(0., end) {
  const double r = crankLength;
  const double l = rodLength;
  const double s = std::sin(angle);
  const double c = std::cos(angle);
  const double below = -r * s;  // z of the slider's pin from that of the crank
  const double across = std::sqrt(l * l - below * below);
  const Vector3 pin{r * c, 0., r * s};
  const Vector3 end3{r * c + across, 0., 0.};
  crank = makeRod({0., 0., 0.}, pin, crankMass, 0.);
  rod = makeRod(pin, end3, rodMass, 0.);
  slider = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(end3), Vector(6), sliderMass,
                                           NewtonEulerDS::boxInertia(sliderMass, 0.1, 0.05, 0.05));
  // Rod: z = −l sin β from the pin, β̇ = r c φ̇ / (l cos β).
  const double rodRate = -r * c * rate / across;
  const double sliderSpeed = -r * s * rate - r * s * r * c * rate / across;
  crank->setState(crank->q(), twist(-0.5 * r * s * rate, 0.5 * r * c * rate, rate));
  rod->setState(rod->q(), twist(0.5 * (-r * s * rate + sliderSpeed), 0.5 * r * c * rate, rodRate));
  slider->setState(slider->q(), twist(sliderSpeed, 0., 0.));
  for (const auto& body : {crank, rod, slider}) model.insert(body);
  const auto hinge = [&](const PivotJointR& joint) {
    joints.push_back(std::make_shared<Interaction>(EqualityConditionNSL(5), joint));
    return joints.back();
  };
  model.link(hinge(PivotJointR::at({0., 0., 0.}, axis, crank->q())), crank);
  model.link(hinge(PivotJointR::at(pin, axis, rod->q(), crank->q())), rod, crank);
  model.link(hinge(PivotJointR::at(end3, axis, slider->q(), rod->q())), slider, rod);
  joints.push_back(
      std::make_shared<Interaction>(EqualityConditionNSL(5), PrismaticJointR::at(end3, {1., 0., 0.}, slider->q())));
  model.link(joints.back(), slider);
}

double SpatialSliderCrank::crankAngle() const {
  const Vector3 along = column(crank->rotation(), 2);
  return std::atan2(along[2], along[0]);
}

double SpatialSliderCrank::crankRate() const {
  return -crank->angularVelocity()[1];
}

double SpatialSliderCrank::energy() const {
  return crank->kineticEnergy() + rod->kineticEnergy() + slider->kineticEnergy();
}

double sliderCrankInertia(double angle) {
  using Mechanism = SpatialSliderCrank;
  const double r = Mechanism::crankLength;
  const double l = Mechanism::rodLength;
  const double s = std::sin(angle);
  const double c = std::cos(angle);
  const double across = std::sqrt(l * l - r * r * s * s);
  const double rodRate = r * c / across;  // per rate of the crank
  const double sliderSpeed = -r * s - r * s * rodRate;
  const double rodX = 0.5 * (-r * s + sliderSpeed);
  const double rodZ = 0.5 * r * c;
  return rodMoment(Mechanism::crankMass, r, 0.02) + 0.25 * Mechanism::crankMass * r * r +
         Mechanism::rodMass * (rodX * rodX + rodZ * rodZ) + rodMoment(Mechanism::rodMass, l, 0.02) * rodRate * rodRate +
         Mechanism::sliderMass * sliderSpeed * sliderSpeed;
}

SpatialFourBar::Position SpatialFourBar::at(double angle, double gravity) {
  const double pinX = crankLength * std::cos(angle);
  const double pinZ = crankLength * std::sin(angle);
  // The upper one of the points where the circles about the pin and the ground meet.
  const double dx = groundLength - pinX;
  const double dz = -pinZ;
  const double distance = std::hypot(dx, dz);
  const double along =
      (couplerLength * couplerLength - rockerLength * rockerLength + distance * distance) / (2. * distance);
  const double across = std::sqrt(couplerLength * couplerLength - along * along);
  const double jointX = pinX + (along * dx - across * dz) / distance;
  const double jointZ = pinZ + (along * dz + across * dx) / distance;
  Position position{};
  position.coupler = std::atan2(jointZ - pinZ, jointX - pinX);
  position.rocker = std::atan2(jointZ, jointX - groundLength);
  // The velocity of that point by both ways: r e'(φ) + l e'(α) α' = c e'(β) β'.
  const double sine = std::sin(position.coupler - position.rocker);
  position.couplerRate = -crankLength * std::sin(angle - position.rocker) / (couplerLength * sine);
  position.rockerRate = crankLength * std::sin(position.coupler - angle) / (rockerLength * sine);
  const double crankMass = massPerLength * crankLength;
  const double couplerMass = massPerLength * couplerLength;
  const double rockerMass = massPerLength * rockerLength;
  const auto aboutEnd = [](double mass, double length) {
    return rodMoment(mass, length, 0.02) + 0.25 * mass * length * length;
  };
  const double a = position.couplerRate;
  const double b = position.rockerRate;
  const double cx = -pinZ - 0.5 * couplerLength * std::sin(position.coupler) * a;
  const double cz = pinX + 0.5 * couplerLength * std::cos(position.coupler) * a;
  position.inertia = aboutEnd(crankMass, crankLength) + couplerMass * (cx * cx + cz * cz) +
                     rodMoment(couplerMass, couplerLength, 0.02) * a * a + aboutEnd(rockerMass, rockerLength) * b * b;
  position.potential =
      gravity * (crankMass * 0.5 * pinZ + couplerMass * 0.5 * (pinZ + jointZ) + rockerMass * 0.5 * jointZ);
  return position;
}

SpatialFourBar::SpatialFourBar(double angle, double rate, double gravityGiven, double end)
    : gravity(gravityGiven), model(0., end) {
  const Position position = at(angle, gravity);
  const Vector3 pin{crankLength * std::cos(angle), 0., crankLength * std::sin(angle)};
  const Vector3 ground{groundLength, 0., 0.};
  const Vector3 joint =
      ground + Vector3{rockerLength * std::cos(position.rocker), 0., rockerLength * std::sin(position.rocker)};
  crank = makeRod({0., 0., 0.}, pin, massPerLength * crankLength, gravity);
  coupler = makeRod(pin, joint, massPerLength * couplerLength, gravity);
  rocker = makeRod(ground, joint, massPerLength * rockerLength, gravity);
  const Vector3 pinSpeed{-pin[2] * rate, 0., pin[0] * rate};
  const double rockerRate = position.rockerRate * rate;
  const Vector3 jointSpeed{-joint[2] * rockerRate, 0., (joint[0] - groundLength) * rockerRate};
  crank->setState(crank->q(), twist(0.5 * pinSpeed[0], 0.5 * pinSpeed[2], rate));
  coupler->setState(coupler->q(), twist(0.5 * (pinSpeed[0] + jointSpeed[0]), 0.5 * (pinSpeed[2] + jointSpeed[2]),
                                        position.couplerRate * rate));
  rocker->setState(rocker->q(), twist(0.5 * jointSpeed[0], 0.5 * jointSpeed[2], rockerRate));
  for (const auto& body : {crank, coupler, rocker}) model.insert(body);
  const auto hinge = [&](const PivotJointR& pivot) {
    joints.push_back(std::make_shared<Interaction>(EqualityConditionNSL(5), pivot));
    return joints.back();
  };
  model.link(hinge(PivotJointR::at({0., 0., 0.}, axis, crank->q())), crank);
  model.link(hinge(PivotJointR::at(pin, axis, coupler->q(), crank->q())), coupler, crank);
  model.link(hinge(PivotJointR::at(joint, axis, rocker->q(), coupler->q())), rocker, coupler);
  model.link(hinge(PivotJointR::at(ground, axis, rocker->q())), rocker);
}

double SpatialFourBar::crankAngle() const {
  const Vector3 along = column(crank->rotation(), 2);
  return std::atan2(along[2], along[0]);
}

}  // namespace delassus::test
