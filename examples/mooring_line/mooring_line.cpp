// SPDX-License-Identifier: Apache-2.0
//
// A mooring line, partly on the seabed, for one place of the vessel after the other. See README.md for the equations.
//
//     mooring_line
//     mooring_line --depth 120 --length 300 --from 250 --to 270 --places 41 --output results/mooring

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <delassus/numerics/choice/AutomaticVariationalSolver.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <filesystem>
#include <limits>

#include "../support/ExampleRun.hpp"

using namespace delassus;

namespace {

struct Options {
  double depth = 100.;
  double length = 250.;
  double weight = 1.;
  double stiffness = 1e6;
  std::size_t bars = 50;
  double from = 175.;
  double to = 219.;
  std::size_t places = 23;
  double tolerance = 1e-12;
  std::string output = "mooring_line";
};

// The line as bars between nodes that carry its weight; node 0 is the anchor on the seabed, the last one the fairlead.
// The unknowns of each free node are x, y and the force λ of the seabed on it. Lengths are in units of the length of
// the line, forces in units of its weight.
class Line {
 public:
  explicit Line(const Options& o)
      : bars_(o.bars), depth_(o.depth / o.length), stiffness_(o.stiffness / (o.weight * o.length)) {}

  std::size_t unknowns() const { return 3 * (bars_ - 1); }

  // ∂E/∂x, ∂E/∂y − λ (both zero) and the height y, which is complementary to λ.
  template <class U, class Result>
  void residual(double distance, const U& u, Result& F) const {
    using Number = std::decay_t<decltype(F(0))>;
    using std::sqrt;
    const auto nodes = static_cast<double>(bars_);
    const auto node = [&](std::size_t k, std::size_t axis) -> Number {
      if (k == 0) return Number(0.);
      if (k == bars_) return Number(axis == 0 ? distance : depth_);
      return u(3 * (k - 1) + axis);
    };
    for (std::size_t k = 1; k < bars_; ++k) {
      const std::size_t row = 3 * (k - 1);
      F(row) = Number(0.);
      F(row + 1) = 1. / nodes - u(row + 2);
      F(row + 2) = u(row + 1);
    }
    for (std::size_t bar = 0; bar < bars_; ++bar) {
      const Number dx = node(bar + 1, 0) - node(bar, 0), dy = node(bar + 1, 1) - node(bar, 1);
      const Number length = sqrt(dx * dx + dy * dy);
      const Number pull = stiffness_ * (nodes - 1. / length);  // tension over length
      if (bar > 0) {
        F(3 * (bar - 1)) -= pull * dx;
        F(3 * (bar - 1) + 1) -= pull * dy;
      }
      if (bar + 1 < bars_) {
        F(3 * bar) += pull * dx;
        F(3 * bar + 1) += pull * dy;
      }
    }
  }

  // Node by node, free unknowns but λ ≥ 0.
  numerics::MixedComplementarityProblem problem(double distance) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Vector lower(unknowns(), -infinity);
    for (std::size_t row = 2; row < lower.size(); row += 3) lower(row) = 0.;
    return {automatic([line = *this, distance](const auto& u, auto& F) { line.residual(distance, u, F); }), lower,
            Vector(unknowns(), infinity)};
  }

  // The catenary of an inextensible line of this horizontal tension.
  Vector start(double tension) const {
    const double hanging = std::sqrt(depth_ * (depth_ + 2. * tension));
    Vector u(unknowns());
    for (std::size_t k = 1; k < bars_; ++k) {
      const double s = static_cast<double>(k) / static_cast<double>(bars_);
      const double off = std::max(0., s - (1. - hanging));
      u(3 * (k - 1)) = std::min(s, 1. - hanging) + tension * std::asinh(off / tension);
      u(3 * (k - 1) + 1) = std::hypot(tension, off) - tension;
      u(3 * (k - 1) + 2) = off > 0. ? 0. : 1. / static_cast<double>(bars_);
    }
    return u;
  }

  bool lies(const Vector& u, std::size_t row) const { return u(row + 2) > 0.5 / static_cast<double>(bars_); }

  // The horizontal force on the vessel, by the last bar.
  double horizontalTension(double distance, const Vector& u) const {
    const double dx = distance - u(u.size() - 3), dy = depth_ - u(u.size() - 2);
    return stiffness_ * (static_cast<double>(bars_) - 1. / std::hypot(dx, dy)) * dx;
  }

 private:
  std::size_t bars_;
  double depth_, stiffness_;
};

// The horizontal tension of an inextensible line by its catenary, all in units of the line: with a = H/w, the part s =
// √(h² + 2 h a) is off the seabed and spans a asinh(s/a). At most that where all of the line is off it.
double catenaryTension(double depth, double distance) {
  const auto span = [&](double a) {
    const double s = std::sqrt(depth * depth + 2. * depth * a);
    return 1. - s + a * std::asinh(s / a);
  };
  double low = 1e-9, high = (1. - depth * depth) / (2. * depth);  // where s = 1
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (span(middle) < distance ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

void sweep(const Options& o) {
  const Line line(o);
  const double reach = std::sqrt(o.length * o.length - o.depth * o.depth);
  const double slack = o.length - o.depth;
  if (!(slack > 0. && o.from > slack && o.from <= o.to && o.to < reach)) {
    throw Error("mooring_line", "expected a line longer than the depth and " + toText(slack) +
                                    " m (it hangs down) < from <= to < " + toText(reach) +
                                    " m (it is taut), got from " + toText(o.from) + " m to " + toText(o.to) + " m.");
  }
  numerics::AutomaticVariationalSolver solver({.tolerance = o.tolerance});
  const std::filesystem::path folder = o.output;
  TableWriter curve(folder / "curve.csv", {"distance [m]", "tension [N]", "catenary [N]", "on the seabed [m]"});
  TableWriter shapes(folder / "shapes.csv", {"distance [m]", "x [m]", "y [m]", "seabed [N]"});
  const double force = o.weight * o.length;
  Vector u = line.start(catenaryTension(o.depth / o.length, o.from / o.length)), F;
  for (std::size_t k = 0; k < o.places; ++k) {
    const double share = o.places > 1 ? static_cast<double>(k) / static_cast<double>(o.places - 1) : 0.;
    const double metres = o.from + share * (o.to - o.from), distance = metres / o.length;
    const numerics::SolveReport report = solver.solve(line.problem(distance), u, F);
    if (!report.converged()) throw Error("mooring_line", "at " + toText(metres) + " m: " + report.summary());
    double lying = 0.;
    shapes.writeRow({metres, 0., 0., 0.});
    for (std::size_t row = 0; row < u.size(); row += 3) {
      shapes.writeRow({metres, u(row) * o.length, u(row + 1) * o.length, u(row + 2) * force});
      if (line.lies(u, row)) lying += o.length / static_cast<double>(o.bars);
    }
    shapes.writeRow({metres, metres, o.depth, 0.});
    const double tension = line.horizontalTension(distance, u) * force;
    const double exact = catenaryTension(o.depth / o.length, distance) * force;
    curve.writeRow({metres, tension, exact, lying});
    std::printf("%8.2f m: %10.3f N, catenary %10.3f N, %6.1f m on the seabed, %s in %zu iterations\n", metres, tension,
                exact, lying, std::string(report.solver).c_str(), report.iterations);
  }
  curve.close();
  shapes.close();
  std::printf("Tables: %s\n", o.output.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--depth", o.depth, "Height of the fairlead above the seabed, m").positive();
    line.add("--length", o.length, "Length of the line, m").positive();
    line.add("--weight", o.weight, "Weight in water, N/m").positive();
    line.add("--stiffness", o.stiffness, "Axial stiffness EA, N").positive();
    line.add("--bars", o.bars, "Bars that the line is made of").between(2, 400);
    line.add("--from", o.from, "First distance of the fairlead from the anchor, m").positive();
    line.add("--to", o.to, "Last distance, m").positive();
    line.add("--places", o.places, "Distances, evenly spread").between(1, 10000);
    line.add("--tolerance", o.tolerance, "What the certified error must meet").positive();
    line.add("--output", o.output, "Folder for curve.csv and shapes.csv");
  };
  return runProgram(argc, argv, "A mooring line on the seabed (nonlinear complementarity)", options, [&] { sweep(o); });
}
