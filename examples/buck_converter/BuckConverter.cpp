// SPDX-License-Identifier: Apache-2.0
#include "BuckConverter.hpp"

#include <cmath>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>

using namespace delassus;

void requireParameters(const BuckConverterParameters& p) {
  const auto require = [](bool good, const char* what) {
    if (!good) throw Error(std::string("BuckConverter: ") + what);
  };
  require(p.supply > 0. && p.load > 0. && p.inductance > 0. && p.capacitance > 0., "V_in, R, L and C must be positive");
  require(p.inductorResistance >= 0. && p.capacitorResistance >= 0. && p.switchResistance >= 0. &&
              p.diodeResistance >= 0. && p.diodeDrop >= 0.,
          "resistances and the drop of the diode must not be negative");
  require(p.blockingVoltage > p.supply + p.diodeDrop, "the open switch must block more than V_in + V_f");
  require(p.derivativeTime > 0. && p.frequency > 0., "the derivative's time and the frequency must be positive");
}

namespace {

// t/T − floor(t/T); an instant that differs from a multiple of T by rounding counts as that multiple.
double sawtooth(double periods) {
  const double phase = periods - std::floor(periods);
  return phase > 1. - 1e-12 * (1. + std::abs(periods)) ? 0. : phase;
}

std::shared_ptr<FirstOrderLinearTIDS> makeCircuit(const BuckConverterParameters& p) {
  const double a = p.load / (p.load + p.capacitorResistance);
  const double byCurrent = a * p.capacitorResistance;  // v_o = a ρ i_L + a v_C
  const double L = p.inductance, C = p.capacitance, tau = p.derivativeTime;
  const Matrix A = makeMatrix({{-(byCurrent + p.inductorResistance) / L, -a / L, 0., 0.},
                               {(1. - byCurrent / p.load) / C, -a / (p.load * C), 0., 0.},
                               {-byCurrent, -a, 0., 0.},
                               {-byCurrent / tau, -a / tau, 0., -1. / tau}});
  const Vector b = makeVector({0., 0., p.reference, p.reference / tau});
  return std::make_shared<FirstOrderLinearTIDS>(makeVector({0., 0., 0., 0.}), A, b);
}

std::shared_ptr<FirstOrderLinearR> makeRelation(const BuckConverterParameters& p) {
  const double a = p.load / (p.load + p.capacitorResistance);
  const double gain = p.proportionalGain + p.derivativeGain / p.derivativeTime;  // of the error at once
  const Matrix C =
      makeMatrix({{1., 0., 0., 0.},
                  {0., 0., 0., 0.},
                  {0., 0., 0., 0.},
                  {gain * a * p.capacitorResistance, gain * a, -p.integralGain, p.derivativeGain / p.derivativeTime}});
  const Matrix D = makeMatrix({{0., -1., -1., 0.},
                               {1., p.diodeResistance, 0., 0.},
                               {1., 0., p.switchResistance, -p.blockingVoltage},
                               {0., 0., 0., 0.}});
  const Matrix B = makeMatrix({{1. / p.inductance, 0., 0., 0.}, {0., 0., 0., 0.}, {0., 0., 0., 0.}, {0., 0., 0., 0.}});
  const auto relation = std::make_shared<FirstOrderLinearR>(C, B);
  relation->setD(D);
  relation->setE([=](double t, Vector& e) {
    e(1) = p.diodeDrop;
    e(2) = p.blockingVoltage - p.supply;
    e(3) = sawtooth(t * p.frequency) - gain * p.reference;
  });
  return relation;
}

}  // namespace

BuckConverter::BuckConverter(const BuckConverterParameters& parameters) : p(parameters), model(0., parameters.end) {
  requireParameters(p);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  circuit = model.insert("circuit", makeCircuit(p));
  const RelayNSL law(makeVector({-infinity, 0., 0., 0.}), makeVector({infinity, infinity, infinity, 1.}));
  switching = model.link("switching", law, makeRelation(p), circuit);
}

double BuckConverter::outputVoltage() const {
  const double a = p.load / (p.load + p.capacitorResistance);
  return a * (circuit->x()(1) + p.capacitorResistance * circuit->x()(0));
}
