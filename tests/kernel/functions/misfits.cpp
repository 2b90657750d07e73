// SPDX-License-Identifier: Apache-2.0
// Functions that do not fit where they are given, a case a compilation, with misfits.hpp: see CheckMisfit.cmake.

using namespace delassus;

const auto ofPlace = [](const auto& q, auto& y) {
  using std::sin;
  y(0) = sin(q(0));
};
const auto ofStateAndTime = [](double, const auto& x, auto& y) { y(0) = x(0); };
const auto row = [](const Vector&, Matrix& byQ) { byQ(0, 0) = 1.; };

#if defined FITTING
LagrangianScleronomousR made(1, automatic(ofPlace));
NewtonEulerR alsoMade(1, automatic([](const auto& t, const auto& q, auto& y) { y(0) = q(0) - t; }));
#elif defined BARE_FUNCTION
LagrangianScleronomousR made(1, ofPlace);
#elif defined BARE_FUNCTION_OF_EITHER_FORM
NewtonEulerR made(1, ofPlace);
#elif defined WRONG_ARGUMENTS
LagrangianScleronomousR made(1, automatic(ofStateAndTime));
#elif defined BARE_FIRST_ORDER
FirstOrderType1R made(1, automatic(ofStateAndTime), ofStateAndTime);
#elif defined BARE_CONTROL
void give(FirstOrderLinearTIDS& system) {
  system.setControl(Matrix(1, 1, 1.), ofStateAndTime);
}
#elif defined BARE_FORCE
void give(LagrangianDS& system) {
  system.setNNL(ofPlace);
}
#elif defined BARE_MOTION
const auto made = PrescribedMotionR::ofPosition(0, [](double t) { return t; });
#elif defined WRONG_MOTION
const Motion made([](double t, double x) { return t * x; });
#elif defined LAW_AND_RELATION_SWAPPED
void give(NonSmoothDynamicalSystem& model, const std::shared_ptr<LagrangianDS>& system) {
  model.link("floor", LagrangianScleronomousR(1, automatic(ofPlace)), NewtonImpactNSL(0.5), system);
}
#elif defined SYSTEM_BY_VALUE
void give(NonSmoothDynamicalSystem& model, const LagrangianDS& system) {
  model.link("floor", NewtonImpactNSL(0.5), LagrangianScleronomousR(1, automatic(ofPlace)), system);
}
#elif defined WRONG_TANGENTS
LagrangianContactR made(2, automatic(ofPlace), [](const Vector&, Matrix& rows) { rows(0, 0) = 1.; });
#elif defined MISSING_JACOBIAN
LagrangianScleronomousR made(1, withJacobians(ofPlace));
#elif defined WRONG_JACOBIAN
NewtonEulerR made(1, withJacobians(ofStateAndTime, row, row));
#elif defined NOT_GENERIC
LagrangianScleronomousR made(1, automatic([](const Vector& q, Vector& y) { y(0) = q(0); }));
#elif defined STD_SIN
LagrangianScleronomousR made(1, automatic([](const auto& q, auto& y) { y(0) = std::sin(q(0)); }));
#elif defined DOUBLE_IN_AUTOMATIC
LagrangianScleronomousR made(1, automatic([](const auto& q, auto& y) {
                               const double angle = q(0);
                               y(0) = angle;
                             }));
#endif
