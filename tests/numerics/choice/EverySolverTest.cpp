// SPDX-License-Identifier: Apache-2.0
//
// What holds for every solver of the catalogue, whatever the class of problems in whose list it stands.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <support/ExtendedResiduals.hpp>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomGlobalFriction.hpp>
#include <support/RandomProblems.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

// Problems of one class with one solution, W being definite or of full rank where it counts.
template <class Problem>
struct Face;

Matrix definite(Generator& generator, std::size_t n) {
  return randomSemidefinite(generator, n, n, 0.3);
}

template <>
struct Face<LinearComplementarityProblem> {
  static LinearComplementarityProblem make(Generator& generator, const std::string&) {
    return {definite(generator, 8), randomVector(generator, 8)};
  }
};

template <>
struct Face<MixedLinearComplementarityProblem> {
  using Row = MixedLinearComplementarityProblem::Row;
  static MixedLinearComplementarityProblem make(Generator& generator, const std::string&) {
    std::vector<Row> rows(8, Row::complementarity);
    rows[0] = rows[3] = rows[4] = Row::equality;
    return {definite(generator, 8), randomVector(generator, 8), rows};
  }
};

template <>
struct Face<RelayProblem> {
  static RelayProblem make(Generator& generator, const std::string&) {
    return {definite(generator, 8), randomVector(generator, 8), Vector(8, -0.1), Vector(8, 0.2)};
  }
};

template <>
struct Face<FrictionContactProblem> {
  static FrictionContactProblem make(Generator& generator, const std::string& solver) {
    FrictionContactProblem problem = assembled(
        randomKnownContacts(
            generator, {.dimension = solver == "lemke_2d" ? 2U : 3U, .contacts = 5, .bodies = 15, .leastFriction = 0.1})
            .problem);
    // Without friction it is the answer to another problem.
    if (solver == "frictionless") problem.setFriction(Vector(5));
    return problem;
  }
};

template <>
struct Face<GlobalFrictionContactProblem> {
  static GlobalFrictionContactProblem make(Generator& generator, const std::string&) {
    return randomGlobalFriction(generator, {.contacts = 10, .bodies = 10}).problem;
  }
};

template <>
struct Face<GenericMechanicalProblem> {
  static GenericMechanicalProblem make(Generator& generator, const std::string& solver) {
    std::vector<Part> parts{Part::equality(2), Part::box(2), Part::coulomb(3, 0.4)};
    if (solver == "relay") parts = {Part::equality(2), Part::box(2), Part::box(3)};
    if (solver == "friction") parts = {Part::coulomb(3, 0.3), Part::coulomb(3, 0.4)};
    const std::size_t n = solver == "friction" ? 6 : 7;
    return {definite(generator, n), randomVector(generator, n), parts, Vector(n, 0.), Vector(n, infinity)};
  }
};

// A solver of the catalogue, by the number of its class and its name there.
struct NamedSolver {
  std::size_t face = 0;
  std::string name;
};

constexpr const char* faces[] = {"lcp", "mlcp", "relay", "friction", "global", "mechanical"};

std::ostream& operator<<(std::ostream& stream, const NamedSolver& solver) {
  return stream << faces[solver.face] << '_' << solver.name;
}

template <class Visit>
void visitFace(std::size_t face, const Visit& visit) {
  switch (face) {
    case 0:
      return visit(Face<LinearComplementarityProblem>(), static_cast<LinearComplementarityProblem*>(nullptr));
    case 1:
      return visit(Face<MixedLinearComplementarityProblem>(), static_cast<MixedLinearComplementarityProblem*>(nullptr));
    case 2:
      return visit(Face<RelayProblem>(), static_cast<RelayProblem*>(nullptr));
    case 3:
      return visit(Face<FrictionContactProblem>(), static_cast<FrictionContactProblem*>(nullptr));
    case 4:
      return visit(Face<GlobalFrictionContactProblem>(), static_cast<GlobalFrictionContactProblem*>(nullptr));
    default:
      return visit(Face<GenericMechanicalProblem>(), static_cast<GenericMechanicalProblem*>(nullptr));
  }
}

std::vector<NamedSolver> allSolvers() {
  std::vector<NamedSolver> solvers;
  for (std::size_t face = 0; face < std::size(faces); ++face) {
    visitFace(face, [&]<class Problem>(const auto&, const Problem*) {
      for (const auto& entry : solversFor<Problem>()) solvers.push_back({face, std::string(entry.name)});
    });
  }
  return solvers;
}

class EverySolver : public testing::TestWithParam<NamedSolver> {
 protected:
  // check(make, generator): make(settings) gives the solver, of a problem of its class.
  template <class Check>
  void forFace(const Check& check) const {
    visitFace(GetParam().face, [&]<class Problem>(const auto& face, const Problem*) {
      Generator generator(31);
      const auto make = [](SolverSettings settings) { return solverNamed<Problem>(GetParam().name, settings); };
      check(make, face.make(generator, GetParam().name));
    });
  }
};

// Slow methods are asked for less.
double toleranceOf(const std::string& name) {
  return name.starts_with("nsgs") ? 1e-6 : 1e-8;
}

TEST_P(EverySolver, SolvesAProblemAndKeepsItsAnswer) {
  forFace([](const auto& make, const auto& problem) {
    const double tolerance = toleranceOf(GetParam().name);
    const auto solver = make({tolerance, 0});
    Vector unknown, dual, again;
    const SolveReport report = solver->solve(problem, unknown, dual);
    ASSERT_TRUE(report.converged()) << report.summary();
    EXPECT_EQ(report.error, errorOf(problem, ErrorMeasure::scaled, unknown, again));
    EXPECT_LE(report.error, tolerance);
    EXPECT_LE(extendedResidual(problem, unknown), 1.01 * tolerance + 1e-13);  // sums in another order
    const Vector first = unknown;
    EXPECT_TRUE(solver->solve(problem, unknown, dual).converged());
    // The condition of the problems is below some hundreds.
    expectNear(unknown, first, 1e3 * tolerance * (1. + normInf(first)));
  });
}

TEST_P(EverySolver, NeverClaimsWhatTheCertificateDenies) {
  forFace([](const auto& make, const auto& problem) {
    Vector unknown, dual;
    const SolveReport report = make({1e-12, 1})->solve(problem, unknown, dual);
    EXPECT_EQ(report.error, errorOf(problem, ErrorMeasure::scaled, unknown, dual));
    EXPECT_EQ(report.converged(), report.error <= 1e-12) << report.summary();
    EXPECT_NE(report.status, SolveStatus::infeasible) << report.summary();
    EXPECT_TRUE(allFinite(unknown));
  });
}

TEST_P(EverySolver, TakesAProblemWithoutRows) {
  forFace([]<class Problem>(const auto& make, const Problem&) {
    Vector unknown, dual;
    EXPECT_TRUE(make({})->solve(Problem(), unknown, dual).converged());
  });
}

TEST_P(EverySolver, RefusesAStartOfWrongSizeOrNotFinite) {
  forFace([](const auto& make, const auto& problem) {
    Vector start(problem.size() + 1), dual;
    expectError([&] { make({})->solve(problem, start, dual); },
                {"the start", std::to_string(problem.size()), std::to_string(problem.size() + 1)});
    start = Vector(problem.size());
    start(1) = notANumber;
    expectError([&] { make({})->solve(problem, start, dual); }, {"the start", "component 1"});
  });
}

TEST_P(EverySolver, CallsItsObserverAndKeepsItsTimeLimit) {
  forFace([](const auto& make, const auto& problem) {
    const auto solver = make({1e-10, 0});
    std::size_t calls = 0;
    solver->setObserver([&](std::size_t, double residual) {
      ++calls;
      EXPECT_FALSE(std::isnan(residual));
    });
    Vector unknown, dual;
    solver->solve(problem, unknown, dual);
    // Where a remembered or the first tried set of active rows is right there is no iteration.
    EXPECT_TRUE(calls > 0 || GetParam().name == "direct" || GetParam().name == "enumeration");
    solver->setObserver({});
    solver->setTimeLimit(1e-9);
    assignZero(unknown, problem.size());
    const SolveReport report = solver->solve(problem, unknown, dual);
    EXPECT_TRUE(report.status == SolveStatus::timeLimit || (report.converged() && report.iterations <= 1))
        << report.summary();
    EXPECT_TRUE(allFinite(unknown));
    expectError([&] { solver->setTimeLimit(0.); }, {"time limit", "positive"});
  });
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EverySolver, testing::ValuesIn(allSolvers()),
                         [](const auto& instance) { return faces[instance.param.face] + ('_' + instance.param.name); });

TEST(SolverCatalogue, ListsTheSolversOfEachClassByTheirNames) {
  const std::vector<std::string> expected[] = {
      {"automatic", "direct", "lemke", "block_pivoting", "active_set", "interior_point", "newton_min",
       "fischer_burmeister", "pgs", "psor", "block_pgs", "accelerated_gradient", "proximal", "enumeration"},
      {"automatic", "direct", "reduction", "least_norm", "fischer_burmeister", "pgs", "enumeration"},
      {"automatic", "direct", "lemke", "pivoting", "pgs", "enumeration"},
      {"automatic", "nsgs", "nsgs_momentum", "nsgs_projection", "nsgs_newton", "nsgs_quartic", "admm",
       "accelerated_gradient", "admm_newton", "newton_alart_curnier", "newton_natural_map", "interior_point", "islands",
       "frictionless", "lemke_2d"},
      {"automatic", "newton_alart_curnier", "admm", "accelerated_gradient", "reduction"},
      {"automatic", "elimination", "sparse_elimination", "newton", "nsgs", "nsgs_momentum", "admm",
       "accelerated_gradient", "proximal", "relay", "friction"}};
  for (std::size_t face = 0; face < std::size(faces); ++face) {
    visitFace(face, [&]<class Problem>(const auto&, const Problem*) {
      std::vector<std::string> names;
      for (const auto& entry : solversFor<Problem>()) {
        names.emplace_back(entry.name);
        EXPECT_FALSE(entry.summary.empty()) << entry.name;
      }
      EXPECT_EQ(names, expected[face]) << faces[face];
    });
  }
}

}  // namespace
