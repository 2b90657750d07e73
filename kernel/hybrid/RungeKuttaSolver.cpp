// SPDX-License-Identifier: Apache-2.0
#include <arkode/arkode_erkstep.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/hybrid/RungeKuttaSolver.hpp>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {
namespace {

// The table of the paper has 13 stages. A last one at c = 0 without weight is added since ARKODE (6.4) takes the last
// stage for the rate at the end of the step if its c is 1, which is true only of methods whose last stage is that rate.
constexpr int stages = 14;

constexpr std::array<double, stages> nodes = {0.,
                                              1. / 18.,
                                              1. / 12.,
                                              1. / 8.,
                                              5. / 16.,
                                              3. / 8.,
                                              59. / 400.,
                                              93. / 200.,
                                              5490023248. / 9719169821.,
                                              13. / 20.,
                                              1201146811. / 1299019798.,
                                              1.,
                                              1.,
                                              0.};
constexpr std::array<double, stages> weights = {14005451. / 335480064.,
                                                0.,
                                                0.,
                                                0.,
                                                0.,
                                                -59238493. / 1068277825.,
                                                181606767. / 758867731.,
                                                561292985. / 797845732.,
                                                -1041891430. / 1371343529.,
                                                760417239. / 1151165299.,
                                                118820643. / 751138087.,
                                                -528747749. / 2220607170.,
                                                1. / 4.,
                                                0.};
constexpr std::array<double, stages> embeddedWeights = {13451932. / 455176623.,
                                                        0.,
                                                        0.,
                                                        0.,
                                                        0.,
                                                        -808719846. / 976000145.,
                                                        1757004468. / 5645159321.,
                                                        656045339. / 265891186.,
                                                        -3867574721. / 1518517206.,
                                                        465885868. / 322736535.,
                                                        53011238. / 667516719.,
                                                        2. / 45.,
                                                        0.,
                                                        0.};
constexpr std::array<std::array<double, stages>, stages> coefficients = {
    {{},
     {1. / 18.},
     {1. / 48., 1. / 16.},
     {1. / 32., 0., 3. / 32.},
     {5. / 16., 0., -75. / 64., 75. / 64.},
     {3. / 80., 0., 0., 3. / 16., 3. / 20.},
     {29443841. / 614563906., 0., 0., 77736538. / 692538347., -28693883. / 1125000000., 23124283. / 1800000000.},
     {16016141. / 946692911., 0., 0., 61564180. / 158732637., 22789713. / 633445777., 545815736. / 2771057229.,
      -180193667. / 1043307555.},
     {39632708. / 573591083., 0., 0., -433636366. / 683701615., -421739975. / 2616292301., 100302831. / 723423059.,
      790204164. / 839813087., 800635310. / 3783071287.},
     {246121993. / 1340847787., 0., 0., -37695042795. / 15268766246., -309121744. / 1061227803.,
      -12992083. / 490766935., 6005943493. / 2108947869., 393006217. / 1396673457., 123872331. / 1001029789.},
     {-1028468189. / 846180014., 0., 0., 8478235783. / 508512852., 1311729495. / 1432422823.,
      -10304129995. / 1701304382., -48777925059. / 3047939560., 15336726248. / 1032824649., -45442868181. / 3398467696.,
      3065993473. / 597172653.},
     {185892177. / 718116043., 0., 0., -3185094517. / 667107341., -477755414. / 1098053517., -703635378. / 230739211.,
      5731566787. / 1027545527., 5232866602. / 850066563., -4093664535. / 808688257., 3962137247. / 1805957418.,
      65686358. / 487910083.},
     {403863854. / 491063109., 0., 0., -5068492393. / 434740067., -411421997. / 543043805., 652783627. / 914296604.,
      11173962825. / 925320556., -13158990841. / 6184727034., 3936647629. / 1978049680., -160528059. / 685178525.,
      248638103. / 1413531060., 0.},
     {}}};

}  // namespace

RungeKuttaSolver::RungeKuttaSolver(OdeEquations& equations, const OdeOptions& options, bool withRoots)
    : SundialsSolver(equations, options, withRoots) {
}

RungeKuttaSolver::~RungeKuttaSolver() {
  if (memory_ != nullptr) ARKodeFree(&memory_);
}

void RungeKuttaSolver::create() {
  memory_ = ERKStepCreate(rates, t_, vector_, context_);
  if (memory_ == nullptr) throw Error("OdeSolver", "ARKODE could not be started.");
#if !DELASSUS_SUNDIALS_7
  ERKStepSetErrHandlerFn(memory_, keepMessage, static_cast<SundialsSolver*>(this));
#endif
  ARKodeSetUserData(memory_, static_cast<SundialsSolver*>(this));
  auto c = nodes;
  auto b = weights;
  auto d = embeddedWeights;
  auto a = coefficients;
  ARKodeButcherTable table = ARKodeButcherTable_Create(stages, 8, 7, c.data(), a.front().data(), b.data(), d.data());
  check(ERKStepSetTable(memory_, table), "The start");
  ARKodeButcherTable_Free(table);
  check(ARKodeSStolerances(memory_, options_.relativeTolerance, options_.absoluteTolerance), "The start");
  check(controller_.attachTo(memory_, context_), "The start");
  ARKodeSetFixedStepBounds(memory_, 1., 1.);
  ARKodeSetMaxNumSteps(memory_, -1);
  // Within a step, interpolation only serves to find roots, which are located again afterwards.
  ARKodeSetInterpolantDegree(memory_, 3);
  findRoots();
}

void RungeKuttaSolver::findRoots() {
  if (rootCount_ == 0) return;
  check(ARKodeRootInit(memory_, static_cast<int>(rootCount_), roots), "The start of root finding");
  std::vector<int> directions(rootCount_);
  for (std::size_t i = 0; i < rootCount_; ++i) directions[i] = equations_.rootDirection(i);
  ARKodeSetRootDirection(memory_, directions.data());
  ARKodeSetNoInactiveRootWarn(memory_);
}

void RungeKuttaSolver::restart(double t, const Vector& z) {
  forgetProgress();
  t_ = stepEnd_ = t;
  assign(z, z_);
  fresh_ = true;
  atRoot_ = false;
}

void RungeKuttaSolver::begin() {
  std::copy(z_.data().begin(), z_.data().end(), N_VGetArrayPointer(vector_));
  if (memory_ == nullptr) {
    create();
  } else {
    check(ERKStepReInit(memory_, rates, t_, vector_), "The restart");
    if (sleepsAny()) {
      ARKodeRootInit(memory_, 0, nullptr);
      findRoots();
    }
  }
  rootCalls_ = 0;
  ARKodeSetMaxStep(memory_, std::isfinite(maximalStep_) ? maximalStep_ : 0.);  // 0: no limit
  // ARKODE guesses the very first step conservatively.
  const double first = std::max(goodStep_, options_.minimalStep);
  if (first > 0.) ARKodeSetInitStep(memory_, first);
  fresh_ = false;
}

// ARKODE evaluates the root functions at the start of an integration and, where one is zero, again a little later on
// the tangent, to see whether it stays zero. Versions that guess the tangent take the rate of the state before, or no
// number at all: here the tangent is computed.
const double* RungeKuttaSolver::stateForRoots(double t, const double* z) {
#if DELASSUS_SUNDIALS_GUESSES_TANGENT
  if (++rootCalls_ == 2 && rootWasZero_) {
    rate_.resize(z_.size(), false);
    tangent_.resize(z_.size(), false);
    ++evaluations_;
    equations_.computeRates(t_, data(z_), data(rate_));
    for (std::size_t i = 0; i < z_.size(); ++i) tangent_(i) = z_(i) + (t - t_) * rate_(i);
    return data(tangent_);
  }
#else
  static_cast<void>(t);
#endif
  return z;
}

OdeSolver::Outcome RungeKuttaSolver::step(double end) {
  if (fresh_) begin();
  check(ARKodeSetStopTime(memory_, end), "The step");
  double reached = t_;
  const int flag = ARKodeEvolve(memory_, end, vector_, &reached, ARK_ONE_STEP);
  if (std::exchange(atRoot_, false) && flag == ARK_ILL_INPUT) return finishStep(end);
  check(flag, "The step");
  ++steps_;
  double done = 0.;
  ARKodeGetLastStep(memory_, &done);
  ARKodeGetCurrentTime(memory_, &stepEnd_);
  take(reached);
  // A step cut short shows only that a longer one would be good too.
  goodStep_ = controller_.isAtLeast() ? std::max(goodStep_, controller_.step()) : controller_.step();
  if (flag == ARK_ROOT_RETURN) {
    check(ARKodeGetRootInfo(memory_, found_.data()), "Root finding");
    atRoot_ = true;
    return Outcome::root;
  }
  // A step to the end with a root in it is reported as usual when it is continued.
  if (flag == ARK_TSTOP_RETURN || reached >= end) {
    fresh_ = true;
    return Outcome::end;
  }
  checkStep(done, end);
  return Outcome::step;
}

// ARKODE continues past a root and finds the function zero for a while, which it reports as illegal input. What it
// found so far was no event; its present step was completed, and at its end the caller checks all functions.
OdeSolver::Outcome RungeKuttaSolver::finishStep(double end) {
  ARKodeGetCurrentTime(memory_, &stepEnd_);
  check(ARKodeGetDky(memory_, stepEnd_, 0, vector_), "The end of the step");
  take(stepEnd_);
  fresh_ = true;
  return t_ >= end ? Outcome::end : Outcome::step;
}

void RungeKuttaSolver::serializeState(StateArchive& archive) {
  archive.value("time", t_);
  archive.value("state", z_);
  serializeMemory(archive);
  stepEnd_ = t_;
  fresh_ = true;
}

void RungeKuttaSolver::serializeMemory(StateArchive& archive) {
  archive.value("step", goodStep_);
}

}  // namespace delassus
