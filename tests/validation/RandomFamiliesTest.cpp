// SPDX-License-Identifier: Apache-2.0
//
// Random LCPs, MLCPs and relay problems of every kind that is hard to judge, by every solver of the class: none calls
// an answer converged whose error, summed here in quadruple precision, is above the tolerance, and none says
// `infeasible` of a problem that was built from a solution. DELASSUS_RANDOM_PROBLEMS sets how many of each class,
// 10,000 by default.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <limits>
#include <support/RandomProblems.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

__extension__ using Quad = __float128;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tolerance = 1e-8;
constexpr std::size_t iterations = 100;  // so that what does not converge costs little

std::size_t problemCount() {
  const char* const asked = std::getenv("DELASSUS_RANDOM_PROBLEMS");
  return asked != nullptr ? static_cast<std::size_t>(std::strtoull(asked, nullptr, 10)) : 10000;
}

enum class Family { regular, general, degenerate, rankDeficient, badlyScaled, whole, contradictory };
constexpr int families = 7;

std::size_t below(Generator& generator, std::size_t end) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(generator);
}

// Square, of the kind that the family says.
Matrix squareOf(Generator& generator, Family family, std::size_t n) {
  switch (family) {
    case Family::regular:
    case Family::degenerate:
      return below(generator, 2) == 0 ? randomSemidefinite(generator, n, n, 0.1) : randomPositiveDefinite(generator, n);
    case Family::general:
      return randomMatrix(generator, n, n);
    case Family::rankDeficient:
    case Family::contradictory:
      return randomSemidefinite(generator, n, 1 + below(generator, n));
    case Family::badlyScaled: {
      Matrix M = randomSemidefinite(generator, n, 1 + below(generator, n));
      const Vector exponents = randomVector(generator, n);
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) M(i, j) *= std::pow(10., 5. * (exponents(i) + exponents(j)));
      }
      return M;
    }
    case Family::whole:
      break;
  }
  // Small whole numbers, so that the problem has its solution exactly.
  Matrix M(n, n);
  for (double& entry : M.data()) entry = static_cast<double>(below(generator, 5)) - 2.;
  if (below(generator, 2) == 0) return M;
  return product(M, Matrix(boost::numeric::ublas::trans(M)));
}

double positive(Generator& generator, Family family) {
  if (family == Family::degenerate && below(generator, 2) == 0) return 0.;
  if (family == Family::whole) return static_cast<double>(1 + below(generator, 3));
  return std::uniform_real_distribution<double>(0.1, 1.)(generator);
}

// w − M z, rounded once.
Vector constantOf(const Matrix& M, const Vector& z, const Vector& w) {
  Vector q(M.size1());
  for (std::size_t i = 0; i < M.size1(); ++i) {
    Quad sum = w(i);
    for (std::size_t j = 0; j < M.size2(); ++j) sum -= static_cast<Quad>(M(i, j)) * z(j);
    q(i) = static_cast<double>(sum);
  }
  return q;
}

std::vector<Quad> dualOf(const Matrix& M, const Vector& z, const Vector& q) {
  std::vector<Quad> w(M.size1());
  for (std::size_t i = 0; i < M.size1(); ++i) {
    w[i] = q(i);
    for (std::size_t j = 0; j < M.size2(); ++j) w[i] += static_cast<Quad>(M(i, j)) * z(j);
  }
  return w;
}

double relative(Quad squares, const Vector& q) {
  Quad ofData = 0;
  for (const double entry : q) ofData += static_cast<Quad>(entry) * entry;
  const auto scale = std::sqrt(static_cast<long double>(ofData));
  return static_cast<double>(std::sqrt(static_cast<long double>(squares)) / (scale < 1e-150L ? 1.L : scale));
}

Quad square(Quad x) {
  return x * x;
}

Matrix denseOf(const BlockSparseMatrix& A) {
  Matrix dense;
  A.toDense(dense);
  return dense;
}

double exactError(const LinearComplementarityProblem& problem, const Vector& z) {
  const Matrix M = denseOf(problem.M());
  const std::vector<Quad> w = dualOf(M, z, problem.q());
  Quad squares = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    squares += square(std::min(static_cast<Quad>(M(i, i) > 0. ? M(i, i) : 1.) * z(i), w[i]));
  }
  return relative(squares, problem.q());
}

double exactError(const MixedLinearComplementarityProblem& problem, const Vector& z) {
  const Matrix M = denseOf(problem.M());
  const std::vector<Quad> w = dualOf(M, z, problem.q());
  Quad squares = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const bool isEquality = problem.row(i) == MixedLinearComplementarityProblem::Row::equality;
    squares += square(isEquality ? w[i] : std::min(static_cast<Quad>(M(i, i) > 0. ? M(i, i) : 1.) * z(i), w[i]));
  }
  return relative(squares, problem.q());
}

double exactError(const RelayProblem& problem, const Vector& z) {
  const Matrix M = denseOf(problem.M());
  const std::vector<Quad> w = dualOf(M, z, problem.q());
  Quad squares = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const Quad d = M(i, i) > 0. ? M(i, i) : 1.;
    const Quad least = d * (static_cast<Quad>(z(i)) - problem.upper()(i));
    const Quad most = d * (static_cast<Quad>(z(i)) - problem.lower()(i));
    squares += square(std::max(least, std::min(w[i], most)));
  }
  return relative(squares, problem.q());
}

// A problem and whether it was built from a solution.
template <class Problem>
struct Built {
  Problem problem;
  bool solvable;
};

Built<LinearComplementarityProblem> lcpOf(Generator& generator, Family family) {
  const std::size_t n = 1 + below(generator, 6);
  const Matrix M = squareOf(generator, family, n);
  Vector z(n), w(n);
  for (std::size_t i = 0; i < n; ++i) (below(generator, 2) == 0 ? z : w)(i) = positive(generator, family);
  if (family == Family::contradictory) return {{M, randomVector(generator, n)}, false};
  return {{M, constantOf(M, z, w)}, true};
}

Built<RelayProblem> relayOf(Generator& generator, Family family) {
  const std::size_t n = 1 + below(generator, 4);
  const Matrix M = squareOf(generator, family, n);
  Vector z(n), w(n), lower(n), upper(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double width = positive(generator, Family::regular);
    z(i) = family == Family::whole ? static_cast<double>(below(generator, 5)) - 2. : randomVector(generator, 1)(0);
    const std::size_t side = below(generator, 3);
    lower(i) = side == 1 ? z(i) : z(i) - width;
    upper(i) = side == 2 ? z(i) : z(i) + width;
    if (side == 1) w(i) = positive(generator, family);
    if (side == 2) w(i) = -positive(generator, family);
    if (side != 1 && below(generator, 2) == 0) lower(i) = -infinity;
    if (side != 2 && below(generator, 2) == 0) upper(i) = infinity;
  }
  if (family == Family::contradictory) return {{M, randomVector(generator, n), lower, upper}, false};
  return {{M, constantOf(M, z, w), lower, upper}, true};
}

using Row = MixedLinearComplementarityProblem::Row;

// Appends `more` equality rows that follow from the others.
Matrix withRedundantRows(Generator& generator, const Matrix& M, std::size_t equalities, std::size_t more) {
  const std::size_t pairs = M.size1() - equalities;
  Matrix all(M.size1() + more, M.size2());
  for (std::size_t j = 0; j < M.size2(); ++j) {
    for (std::size_t i = 0; i < equalities; ++i) all(i, j) = M(i, j);
    for (std::size_t i = 0; i < pairs; ++i) all(equalities + more + i, j) = M(equalities + i, j);
  }
  for (std::size_t extra = 0; extra < more; ++extra) {
    for (std::size_t i = 0; i < equalities; ++i) {
      const double factor = static_cast<double>(below(generator, 5)) - 2.;
      for (std::size_t j = 0; j < M.size2(); ++j) all(equalities + extra, j) += factor * M(i, j);
    }
  }
  return all;
}

Built<MixedLinearComplementarityProblem> mlcpOf(Generator& generator, Family family) {
  const std::size_t pairs = below(generator, 5);
  std::size_t equalities = 1 + below(generator, 8);
  const std::size_t free = equalities;
  Matrix M = squareOf(generator, family, equalities + pairs);
  if (below(generator, 3) == 0) {
    const std::size_t more = 1 + below(generator, 3);
    M = withRedundantRows(generator, M, equalities, more);
    equalities += more;
  }
  std::vector<Row> rows(equalities, Row::equality);
  rows.resize(equalities + pairs, Row::complementarity);
  Vector z(free + pairs), w(equalities + pairs);
  for (std::size_t j = 0; j < free; ++j) {
    z(j) = family == Family::whole ? static_cast<double>(below(generator, 5)) - 2. : randomVector(generator, 1)(0);
  }
  for (std::size_t k = 0; k < pairs; ++k) {
    const bool active = below(generator, 2) == 0;
    (active ? z(free + k) : w(equalities + k)) = positive(generator, family);
  }
  Vector q = constantOf(M, z, w);
  if (family == Family::contradictory) q(below(generator, equalities)) += 0.5;
  return {{std::move(M), std::move(q), std::move(rows)}, family != Family::contradictory};
}

template <class Problem, class Build>
void judge(Build&& build) {
  constexpr std::size_t mostFailures = 20;
  std::size_t failures = 0;
  for (std::size_t seed = 0; seed < problemCount() && failures < mostFailures; ++seed) {
    Generator generator(seed);
    const Built<Problem> built = build(generator, static_cast<Family>(seed % families));
    for (const auto& entry : solversFor<Problem>()) {
      Vector unknown, dual;
      const SolveReport report = entry.make({tolerance, iterations})->solve(built.problem, unknown, dual);
      const bool isFalselySolved = report.converged() && exactError(built.problem, unknown) > tolerance;
      const bool isFalselyRefused = report.status == SolveStatus::infeasible && built.solvable;
      if (!isFalselySolved && !isFalselyRefused) continue;
      ++failures;
      ADD_FAILURE() << "problem " << seed << ", " << entry.name << ": " << report.summary() << " The exact error is "
                    << exactError(built.problem, unknown) << ".";
    }
  }
}

TEST(RandomFamilies, OfLcpsHaveNoFalseVerdict) {
  judge<LinearComplementarityProblem>(lcpOf);
}

TEST(RandomFamilies, OfMlcpsHaveNoFalseVerdict) {
  judge<MixedLinearComplementarityProblem>(mlcpOf);
}

TEST(RandomFamilies, OfRelayProblemsHaveNoFalseVerdict) {
  judge<RelayProblem>(relayOf);
}

}  // namespace
