// SPDX-License-Identifier: Apache-2.0
//
// One step of a pile of spheres, its contact problem solved by several solvers. See README.md for the equations.
//
//     friction_solvers
//     friction_solvers --side 8 --tolerance 1e-10 --time-limit 5
//     friction_solvers --solvers nsgs,nsgs_momentum,interior_point --friction 0.8 --output results/solvers

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "../support/ExampleRun.hpp"

using namespace delassus;
using numerics::FrictionContactProblem;

namespace {

struct Options {
  std::size_t side = 5;
  double radius = 0.1;
  double mass = 1.;
  double friction = 0.5;
  double gravity = 9.81;
  double push = 0.5;
  double step = 1e-2;
  double tolerance = 1e-8;
  double timeLimit = 10.;
  std::vector<std::string> solvers = {"automatic", "nsgs", "nsgs_momentum", "admm", "admm_newton", "interior_point"};
  std::string output = "friction_solvers";
};

using Vec3 = std::array<double, 3>;

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// A pyramid: layers of side², (side − 1)², ... 1 spheres, each sphere in the hollow between four of the layer below.
std::vector<Vec3> pyramid(const Options& o) {
  std::vector<Vec3> centres;
  for (std::size_t layer = 0; layer < o.side; ++layer) {
    const double height = o.radius * (1. + std::sqrt(2.) * static_cast<double>(layer));
    const double shift = o.radius * static_cast<double>(layer);
    for (std::size_t i = 0; i + layer < o.side; ++i) {
      for (std::size_t j = 0; j + layer < o.side; ++j) {
        centres.push_back(
            {shift + 2. * o.radius * static_cast<double>(i), shift + 2. * o.radius * static_cast<double>(j), height});
      }
    }
  }
  return centres;
}

// The columns of H, 6 · bodies x 3 · contacts: column 3 c + k says how the velocities (v, ω) of the bodies give
// component k of the relative velocity of contact c, k = 0 along the normal.
class Levers {
 public:
  explicit Levers(double radius) : radius_(radius) {}

  // A contact whose normal n points into the sphere `body`; the other sphere feels the opposite.
  void addContact(const Vec3& n, std::size_t body) {
    addSide(n, body, 1.);
    ++contacts_;
  }
  void addContact(const Vec3& n, std::size_t body, std::size_t other) {
    addSide(n, other, -1.);
    addContact(n, body);
  }
  std::size_t contacts() const { return contacts_; }
  SparseMatrix matrix(std::size_t bodies) const { return sparseFromTriplets(6 * bodies, 3 * contacts_, entries_); }

 private:
  void addSide(const Vec3& n, std::size_t body, double sign) {
    const std::size_t least = std::abs(n[0]) < 0.5 ? 0 : std::abs(n[1]) < 0.5 ? 1 : 2;
    Vec3 axis{};
    axis[least] = 1.;
    Vec3 t = cross(n, axis);
    const double length = std::sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (double& x : t) x /= length;
    const std::array<Vec3, 3> frame{n, t, cross(n, t)};
    const double arm = -sign * radius_;  // from the centre to the contact, along n
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 turn = cross({arm * n[0], arm * n[1], arm * n[2]}, frame[k]);
      for (std::size_t i = 0; i < 3; ++i) {
        entries_.push_back({6 * body + i, 3 * contacts_ + k, sign * frame[k][i]});
        entries_.push_back({6 * body + 3 + i, 3 * contacts_ + k, sign * turn[i]});
      }
    }
  }

  double radius_;
  std::size_t contacts_ = 0;
  std::vector<Triplet> entries_;
};

Levers findContacts(const std::vector<Vec3>& centres, const Options& o) {
  Levers levers(o.radius);
  for (std::size_t a = 0; a < centres.size(); ++a) {
    if (centres[a][2] < 1.001 * o.radius) levers.addContact({0., 0., 1.}, a);
    for (std::size_t b = 0; b < a; ++b) {
      Vec3 n{};
      double squares = 0.;
      for (std::size_t i = 0; i < 3; ++i) {
        n[i] = centres[a][i] - centres[b][i];
        squares += n[i] * n[i];
      }
      if (squares > 4.01 * o.radius * o.radius) continue;
      for (double& x : n) x /= std::sqrt(squares);
      levers.addContact(n, a, b);
    }
  }
  return levers;
}

// W = Hᵀ M⁻¹ H, and q = Hᵀ v of the velocities v that the spheres would have without contact after a step of gravity,
// the topmost having been pushed sideways.
FrictionContactProblem pileProblem(const Options& o) {
  const std::vector<Vec3> centres = pyramid(o);
  const Levers levers = findContacts(centres, o);
  const SparseMatrix H = levers.matrix(centres.size());

  Matrix inverse(6, 6);
  for (std::size_t i = 0; i < 6; ++i) inverse(i, i) = 1. / (i < 3 ? o.mass : 0.4 * o.mass * o.radius * o.radius);
  const numerics::FactoredDelassus factored(3, std::vector<Matrix>(centres.size(), inverse), H);
  BlockSparseMatrix W;  // most solvers want it built
  factored.assemble(W);

  Vector v(6 * centres.size());
  for (std::size_t body = 0; body < centres.size(); ++body) v(6 * body + 2) = -o.gravity * o.step;
  v(6 * (centres.size() - 1)) = o.push;
  Vector q(H.size2());
  multiplyTransposed(1., H, v, 0., q);
  Vector mu(levers.contacts());
  for (double& x : mu.data()) x = o.friction;
  return {3, std::move(W), std::move(q), std::move(mu)};
}

const numerics::SolverEntry<numerics::ProblemOverSets>& solverNamed(const std::string& name) {
  std::string names;
  for (const auto& entry : numerics::solversFor<FrictionContactProblem>()) {
    if (entry.name == name) return entry;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw Error("friction_solvers", "no solver is called '" + name + "'; there are " + names + ".");
}

// Solves from zero; leaves the residual of each iteration, as the method itself measures it, in history_NAME.csv.
numerics::SolveReport solve(const FrictionContactProblem& problem, const std::string& name, const Options& o,
                            double& seconds) {
  const auto solver = solverNamed(name).make({o.tolerance, 0});
  solver->setTimeLimit(o.timeLimit);
  std::vector<double> residuals;
  solver->setObserver([&](std::size_t, double residual) { residuals.push_back(residual); });
  Vector reaction, velocity;
  const auto start = std::chrono::steady_clock::now();
  const numerics::SolveReport report = solver->solve(problem, reaction, velocity);
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  TableWriter history(std::filesystem::path(o.output) / ("history_" + name + ".csv"), {"iteration", "residual"});
  for (std::size_t i = 0; i < residuals.size(); ++i) history.writeRow({static_cast<double>(i + 1), residuals[i]});
  history.close();
  return report;
}

void compare(const Options& o) {
  const FrictionContactProblem problem = pileProblem(o);
  std::printf("%zu contacts, friction %g, tolerance %g\n\n", problem.contacts(), o.friction, o.tolerance);
  std::printf("%-22s %-18s %10s %10s %10s\n", "solver", "status", "iterations", "error", "time [s]");
  TableWriter summary(std::filesystem::path(o.output) / "summary.csv",
                      {"converged", "iterations", "error", "time [s]"});
  for (const std::string& name : o.solvers) {
    double seconds = 0.;
    const numerics::SolveReport report = solve(problem, name, o, seconds);
    std::printf("%-22s %-18s %10zu %10.1e %10.4f\n", name.c_str(), std::string(toString(report.status)).c_str(),
                report.iterations, report.error, seconds);
    summary.writeRow({report.converged() ? 1. : 0., static_cast<double>(report.iterations), report.error, seconds});
  }
  summary.close();
  std::printf("\nHistories: %s\n", o.output.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--side", o.side, "Spheres along a side of the lowest layer of the pyramid").between(1, 100);
    line.add("--radius", o.radius, "Radius of a sphere, m");
    line.add("--mass", o.mass, "Mass of a sphere, kg");
    line.add("--friction", o.friction, "Coefficient of friction");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
    line.add("--push", o.push, "Velocity that the topmost sphere is pushed with, sideways, m/s");
    line.add("--step", o.step, "Step h, s");
    line.add("--tolerance", o.tolerance, "What the certified error must meet");
    line.add("--time-limit", o.timeLimit, "Seconds for a solve");
    line.add("--solvers", o.solvers, "Names of solvers, with commas between").separatedBy(',');
    line.add("--output", o.output, "Folder for summary.csv and history_SOLVER.csv");
  };
  return runProgram(argc, argv, "Solvers compared on the contacts of a pile of spheres", options, [&] { compare(o); });
}
