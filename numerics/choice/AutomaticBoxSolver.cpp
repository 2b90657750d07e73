// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>

#include <algorithm>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/RestartingSolver.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/BranchPathSolver.hpp>
#include <delassus/numerics/methods/DirectSolver.hpp>
#include <delassus/numerics/methods/EliminationSolver.hpp>
#include <delassus/numerics/methods/LcpActiveSetSolver.hpp>
#include <delassus/numerics/methods/LcpInteriorPointSolver.hpp>
#include <delassus/numerics/methods/LeastNormSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/methods/ProximalSolver.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>

namespace delassus::numerics {
namespace {

// Up to this size all bases cost less than many starts of Newton's method, and prove that there is no solution.
constexpr std::size_t enumerateFirst = 10;
constexpr std::size_t restartSize = 64;
constexpr std::size_t boxStarts = 300;
constexpr std::size_t stepsOfABoxStart = 40;  // what converges does so in fewer, mostly
// With more rows, a sparse M that is not symmetric is factored sparse.
constexpr std::size_t sparseSize = 100;

// Half of the z_j are 0, the others of the size at which their column outweighs q.
void drawUnknown(const ProblemOverSets& problem, std::size_t, RandomGenerator& generator, const Vector&, Vector& z) {
  std::uniform_real_distribution<double> share(0., 1.);
  std::bernoulli_distribution isPositive;
  const BlockSparseMatrix& M = problem.matrix();
  const double size = normInf(problem.q());
  setZero(z);
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t k = M.rowBegin(row); k < M.rowEnd(row); ++k) {
      const double* entry = M.block(k);
      const std::size_t first = M.offset(M.column(k));
      for (std::size_t j = first; j < first + M.blockSize(M.column(k)); ++j) {
        for (std::size_t i = 0; i < M.blockSize(row); ++i, ++entry) z(j) = std::max(z(j), std::abs(*entry));
      }
    }
  }
  for (double& entry : z.data()) {
    const double drawn = share(generator) * size;
    entry = isPositive(generator) ? drawn / (entry > 0. ? entry : 1.) : 0.;
  }
}

// `diagonal` and `isUsed` are room for the work.
bool hasEmptyRowOrColumn(const BlockSparseMatrix& M, Vector& diagonal, std::vector<char>& isUsed) {
  assignZero(diagonal, M.size());
  M.diagonal(data(diagonal));
  if (std::find(diagonal.begin(), diagonal.end(), 0.) == diagonal.end()) return false;
  isUsed.assign(2 * M.size(), 0);
  for (std::size_t row = 0; row < M.blockRows(); ++row) {
    for (std::size_t k = M.rowBegin(row); k < M.rowEnd(row); ++k) {
      const double* entry = M.block(k);
      for (std::size_t j = M.offset(M.column(k)); j < M.offset(M.column(k) + 1); ++j) {
        for (std::size_t i = M.offset(row); i < M.offset(row + 1); ++i, ++entry) {
          if (*entry != 0.) isUsed[i] = isUsed[M.size() + j] = 1;
        }
      }
    }
  }
  return std::find(isUsed.begin(), isUsed.end(), 0) != isUsed.end();
}

std::unique_ptr<SolverOverSets> makeRestarts(const SolverSettings& common) {
  auto steps = optionsFrom<FischerBurmeisterOptions>(common);
  steps.maxIterations = common.maxIterations > 0 ? std::min(common.maxIterations, stepsOfABoxStart) : stepsOfABoxStart;
  return std::make_unique<RestartingSolver<ProblemOverSets>>(std::make_unique<FischerBurmeisterSolver>(steps),
                                                             drawUnknown, boxStarts);
}

}  // namespace

AutomaticBoxSolver::AutomaticBoxSolver(AutomaticBoxOptions options)
    : WithOptions("AutomaticBoxSolver", options, "AutomaticBoxSolver", options.tolerance) {
}

bool AutomaticBoxSolver::enumerates(const ProblemOverSets& problem) const {
  if (intervals_.areHalfLines()) return problem.size() <= options_.enumerateSize;
  return hasFewBases(intervals_, options_.enumerateOthers);
}

// As of rectangular problems, whose equalities are too many or too few.
bool AutomaticBoxSolver::hasEmpty(const ProblemOverSets& problem) const {
  emptyFrom_.renew(problem.stamp(), [&] { hasEmpty_ = hasEmptyRowOrColumn(problem.matrix(), diagonal_, isUsed_); });
  return hasEmpty_;
}

// Multipliers of positive feedback: solutions have branches.
bool AutomaticBoxSolver::hasNegative(const ProblemOverSets& problem) const {
  negativeFrom_.renew(problem.stamp(), [&] {
    assignZero(diagonal_, problem.size());
    problem.matrix().diagonal(data(diagonal_));
    hasNegative_ = hasPositiveFeedback(problem.size(), diagonal_, intervals_.lower(), intervals_.upper());
  });
  return hasNegative_;
}

bool AutomaticBoxSolver::isSparse(const ProblemOverSets& problem) const {
  sparseFrom_.renew(problem.stamp(), [&] { isSparse_ = !PrincipalLU::isNearlyFull(problem.matrix()); });
  return isSparse_;
}

struct AutomaticBoxSolver::Lines {
  template <class Method, class Options>
  static Member usual(const Self& s) {
    return std::make_unique<Method>(optionsFrom<Options>(s.common()));
  }
  // Of dense mixed problems active sets are remembered up to that size, and enumeration comes last in all.
  static Member makeDirect(const Self& s, std::size_t rememberSize) {
    return std::make_unique<DirectSolver>(
        optionsFrom(s.common(), DirectOptions{.rememberSize = rememberSize, .enumerateSize = 0}));
  }
  static Member makeDefinitePivoting(const Self& s) {
    return std::make_unique<BlockPivotingSolver>(optionsFrom(s.common(), BlockPivotingOptions{.definiteOnly = true}));
  }
  static Member makeNewton(const Self& s) {
    return std::make_unique<NewtonSolver>(optionsFrom(s.common(), NewtonOptions::afterSweeps()));
  }
  static Member makeEnumeration(const Self& s) {
    return std::make_unique<EnumerationSolver>(EnumerationOptions{
        .tolerance = s.tolerance(), .maxSize = std::max(s.options_.enumerateSize, s.options_.enumerateOthers)});
  }
  static Member makeLeastNorm(const Self& s) {
    return std::make_unique<LeastNormSolver>(LeastNormOptions{s.tolerance()});
  }
  static Member makeSweepsOfRest(const Self& s) {
    return solverNamed<MixedLinearComplementarityProblem>("pgs", s.common());
  }
  static bool isTiny(const Problem& p) { return p.size() <= enumerateFirst; }
  static bool isRemembered(const Self& s, const Problem& p) { return p.size() <= s.options_.rememberSize; }
  // A copy that is dense costs little; sweeps come last then, and else only where the pivots factor M sparse.
  static bool isCopied(const Self& s, const Problem& p) {
    return isRemembered(s, p) || 2 * p.size() <= s.options_.denseSize;
  }

  static constexpr auto makeRemembered = [](const Self& s) { return makeDirect(s, s.options_.rememberSize); };
  static constexpr auto makePivoting = usual<BlockPivotingSolver, BlockPivotingOptions>;
  static constexpr auto makePath = usual<BranchPathSolver, BranchPathOptions>;
  static constexpr auto makeInteriorPoint = usual<LcpInteriorPointSolver, LcpInteriorPointOptions>;
  static constexpr auto makeFischerBurmeister = usual<FischerBurmeisterSolver, FischerBurmeisterOptions>;
  static constexpr auto makeSweeps = usual<ProjectedGaussSeidelSolver, ProjectedGaussSeidelOptions>;
  static constexpr auto isSymmetric = [](const Self& s, const Problem&) { return s.symmetric_; };
  static constexpr auto staysSparse = [](const Self& s, const Problem& p) { return s.symmetric_ || s.isSparse(p); };

  static constexpr Line complementarity[] = {
      {"definite pivoting", makeDefinitePivoting,
       [](const Self& s, const Problem& p) { return s.symmetric_ || (p.size() > sparseSize && s.isSparse(p)); }},
      {"remembered sets", makeRemembered,
       [](const Self& s, const Problem& p) { return !s.symmetric_ || isRemembered(s, p); }},
      {"active set", usual<LcpActiveSetSolver, LcpActiveSetOptions>, isSymmetric},
      {"Lemke",
       [](const Self& s) -> Member {
         return std::make_unique<LemkeSolver>(
             LemkeOptions{.tolerance = s.tolerance(), .maxPivots = s.options_.maxIterations});
       },
       // Remembered sets end with it.
       [](const Self& s, const Problem& p) { return s.symmetric_ && !isRemembered(s, p); }},
      {"interior point", makeInteriorPoint},
      {"Newton", makeNewton, [](const Self& s, const Problem&) { return !s.symmetric_; }},
      {"Fischer-Burmeister", makeFischerBurmeister},
      {"enumeration", makeEnumeration, [](const Self& s, const Problem& p) { return isTiny(p) && s.enumerates(p); }},
      {"many starts", [](const Self& s) -> Member { return makeRestarts(s.common()); },
       [](const Self&, const Problem& p) { return p.size() <= restartSize; }},
      {"enumeration", makeEnumeration, [](const Self& s, const Problem& p) { return !isTiny(p) && s.enumerates(p); }},
  };
  static constexpr Line sparseComplementarity[] = {
      {"definite pivoting", makeDefinitePivoting, staysSparse},
      {"proximal points", usual<LcpProximalSolver, LcpProximalOptions>, isSymmetric},
      {"block sweeps", usual<BlockGaussSeidelSolver, BlockGaussSeidelOptions>},
  };
  static constexpr Line mixed[] = {
      {"pivoting", makePivoting,
       [](const Self& s, const Problem& p) { return !isRemembered(s, p) && !s.hasEmpty(p) && s.isSparse(p); }},
      {"least norm", makeLeastNorm, [](const Self& s, const Problem& p) { return s.hasEmpty(p); }},
      {"remembered sets and pairs", [](const Self& s) { return makeDirect(s, s.options_.denseSize); }},
      {"least norm", makeLeastNorm, [](const Self& s, const Problem& p) { return !s.hasEmpty(p); }},
      {"Fischer-Burmeister", makeFischerBurmeister},
      {"sweeps of the rest", makeSweepsOfRest},
      {"enumeration", makeEnumeration, [](const Self& s, const Problem& p) { return s.enumerates(p); }},
  };
  static constexpr Line sparseMixed[] = {
      {"pivoting", makePivoting},
      {"sparse elimination",
       [](const Self& s) -> Member {
         return std::make_unique<SparseEliminationSolver>(SparseEliminationOptions{.tolerance = s.tolerance()});
       }},
      {"sweeps", makeSweeps},
  };
  static constexpr Line intervals[] = {
      {"remembered sets", makeRemembered, isRemembered},
      {"branch path", makePath,
       [](const Self& s, const Problem& p) { return !isRemembered(s, p) && isCopied(s, p) && s.hasNegative(p); }},
      {"sweeps", makeSweeps, [](const Self& s, const Problem& p) { return !isCopied(s, p) && !staysSparse(s, p); }},
      {"pivoting", makePivoting, [](const Self& s, const Problem& p) { return !isRemembered(s, p); }},
      {"LCP form", usual<LcpFormSolver, LcpFormOptions>, isCopied},
      {"sweeps", makeSweeps, [](const Self& s, const Problem& p) { return isCopied(s, p) || staysSparse(s, p); }},
      {"enumeration", makeEnumeration, [](const Self& s, const Problem& p) { return s.enumerates(p); }},
  };
  // Whose report says why the problem is none over intervals.
  static constexpr Line refusal[] = {{"remembered sets", makeRemembered}};
};

AutomaticBoxSolver::Tables AutomaticBoxSolver::tables() {
  static constexpr Table all[] = {Lines::complementarity, Lines::sparseComplementarity,
                                  Lines::mixed,           Lines::sparseMixed,
                                  Lines::intervals,       Lines::refusal};
  return all;
}

AutomaticBoxSolver::Table AutomaticBoxSolver::tableFor(const ProblemOverSets& problem) {
  if (!intervals_.take(problem)) return Lines::refusal;
  const bool isLarge = problem.size() > options_.denseSize;
  if (intervals_.areMixed() && !intervals_.areHalfLines()) return isLarge ? Table(Lines::sparseMixed) : Lines::mixed;
  symmetricFrom_.renew(problem.stamp(), [&] { symmetric_ = problem.matrix().isSymmetric(); });
  if (!intervals_.areHalfLines()) return Lines::intervals;
  return isLarge ? Table(Lines::sparseComplementarity) : Lines::complementarity;
}

std::unique_ptr<SolverOverSets> automaticForIntervals(double tolerance, std::size_t enumerateSize,
                                                      std::size_t maxIterations) {
  return std::make_unique<AutomaticBoxSolver>(
      AutomaticBoxOptions{.tolerance = tolerance, .enumerateSize = enumerateSize, .maxIterations = maxIterations});
}

}  // namespace delassus::numerics
