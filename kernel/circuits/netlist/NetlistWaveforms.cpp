// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistElements.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

}  // namespace

// [DC] value, AC (which means nothing here) and a function of time in any order; the function counts before the value.
void NetlistElementReader::waveform() {
  double constant = 0.;
  bool hasConstant = false, hasFunction = false;
  const auto startFunction = [&](NetlistWaveform::Kind kind) {
    if (hasFunction) statement_.fail(NetlistFault::duplicate, "expected one function of time.");
    hasFunction = true;
    element_.waveform.kind = kind;
  };
  while (!statement_.atEnd()) {
    if (statement_.takeWord("sin") || statement_.takeWord("sine")) {
      startFunction(NetlistWaveform::Kind::sine);
      sineValues();
    } else if (statement_.takeWord("pulse")) {
      startFunction(NetlistWaveform::Kind::pulse);
      pulseValues();
    } else if (statement_.takeWord("pwl")) {
      startFunction(NetlistWaveform::Kind::piecewiseLinear);
      values("instants and values", 2, std::string::npos);
      lineValues();
    } else if (statement_.takeWord("exp")) {
      startFunction(NetlistWaveform::Kind::exponential);
      exponentialValues();
    } else if (statement_.takeWord("ac")) {
      for (int k = 0; k < 2 && !statement_.atEnd() && netlistNumber(statement_.peek().text); ++k) statement_.skip(1);
    } else {
      statement_.takeWord("dc");
      if (hasConstant) statement_.fail(NetlistFault::wrongCount, "expected one value.");
      constant = value("its value, or SIN, PULSE, PWL or EXP");
      hasConstant = true;
    }
  }
  if (hasFunction) return;
  if (!hasConstant) statement_.fail(NetlistFault::wrongCount, "expected its value, or SIN, PULSE, PWL or EXP.");
  element_.waveform.values = {constant};
}

// Numbers in parentheses or up to the end of the statement.
void NetlistElementReader::values(std::string_view what, std::size_t fewest, std::size_t most) {
  std::size_t depth = 0;
  const auto parentheses = [&] {
    while (statement_.peek().kind == NetlistToken::Kind::open || statement_.peek().kind == NetlistToken::Kind::close) {
      if (statement_.atEnd()) break;
      const bool opens = statement_.take("").kind == NetlistToken::Kind::open;
      if (!opens && depth == 0) statement_.fail(NetlistFault::syntax, "')' closes nothing.");
      depth = opens ? depth + 1 : depth - 1;
    }
  };
  const bool isEnclosed = statement_.peek().kind == NetlistToken::Kind::open && !statement_.atEnd();
  parentheses();
  std::vector<double>& all = element_.waveform.values;
  while (!statement_.atEnd() && (!isEnclosed || depth > 0)) {
    all.push_back(value(what));
    parentheses();
  }
  if (depth > 0) statement_.fail(NetlistFault::syntax, "nothing closes '('.");
  if (all.size() < fewest || all.size() > most) {
    statement_.fail(NetlistFault::wrongCount,
                    "expected " + std::string(what) + ", " + std::to_string(fewest) +
                        (most == std::string::npos ? " or more" : " to " + std::to_string(most)) + " numbers, got " +
                        std::to_string(all.size()) + ".");
  }
  names_.charge(all.size() * sizeof(double), statement_);
}

void NetlistElementReader::complete(std::initializer_list<double> defaults) {
  std::vector<double>& all = element_.waveform.values;
  for (std::size_t k = all.size(); k < defaults.size(); ++k) all.push_back(defaults.begin()[k]);
}

void NetlistElementReader::sineValues() {
  values("offset, amplitude, frequency, delay, damping and phase", 3, 6);
  complete({0., 0., 0., 0., 0., 0.});
  const std::vector<double>& v = element_.waveform.values;
  if (v[2] < 0. || v[3] < 0.) {
    statement_.fail(NetlistFault::badValue, "expected a frequency and a delay of SIN not below 0.");
  }
}

void NetlistElementReader::pulseValues() {
  values("two levels, delay, rise, fall, width and period", 2, 7);
  complete({0., 0., 0., 0., 0., endless, 0.});
  const std::vector<double>& v = element_.waveform.values;
  if (std::any_of(v.begin() + 2, v.end(), [](double time) { return time < 0.; })) {
    statement_.fail(NetlistFault::badValue, "expected times of PULSE not below 0.");
  }
  if (v[6] > 0. && v[3] + v[4] + v[5] > v[6] * (1. + 1e-12)) {
    statement_.fail(NetlistFault::badValue, "expected rise, width and fall of PULSE within its period.");
  }
}

void NetlistElementReader::lineValues() {
  const std::vector<double>& v = element_.waveform.values;
  if (v.size() % 2 != 0) statement_.fail(NetlistFault::wrongCount, "expected pairs of numbers, got an odd count.");
  for (std::size_t k = 2; k < v.size(); k += 2) {
    if (v[k] >= v[k - 2]) continue;
    statement_.fail(NetlistFault::badValue, "expected pairs of numbers of which the first ones do not descend, got " +
                                                toText(v[k - 2]) + " before " + toText(v[k]) + ".");
  }
}

void NetlistElementReader::exponentialValues() {
  values("two levels, rise delay and time constant, fall delay and time constant", 4, 6);
  complete({0., 0., 0., 0., endless, 1.});
  const std::vector<double>& v = element_.waveform.values;
  if (!(v[2] >= 0. && v[3] > 0. && v[4] >= v[2] && v[5] > 0.)) {
    statement_.fail(NetlistFault::badValue, "expected delays of EXP in order and time constants above 0.");
  }
}

}  // namespace delassus
