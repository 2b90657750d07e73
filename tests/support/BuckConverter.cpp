// SPDX-License-Identifier: Apache-2.0
#include <support/BuckConverter.hpp>

#include <cmath>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <limits>

using namespace delassus;

namespace {

// t/T − floor(t/T), and `atFall` at multiples of T, also those that t differs from by rounding.
double sawtooth(double periods, double atFall) {
  const double phase = periods - std::floor(periods), rounding = 1e-12 * (1. + std::abs(periods));
  return phase > 1. - rounding || phase < rounding ? atFall : phase;
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
    e(3) = sawtooth(t * p.frequency, p.sawtoothAtFall) - gain * p.reference;
  });
  return relation;
}

}  // namespace

BuckConverter::BuckConverter(const BuckConverterParameters& parameters) : p(parameters), model(0., parameters.end) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  circuit = model.insert("circuit", makeCircuit(p));
  const RelayNSL law(makeVector({-infinity, 0., 0., 0.}), makeVector({infinity, infinity, infinity, 1.}));
  switching = model.link("switching", law, makeRelation(p), circuit);
}

double BuckConverter::outputVoltage() const {
  const double a = p.load / (p.load + p.capacitorResistance);
  return a * (circuit->x()(1) + p.capacitorResistance * circuit->x()(0));
}
