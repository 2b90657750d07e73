// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/ConstraintProjection.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <numeric>

namespace delassus {
namespace {

// The part of the largest diagonal entry that is added to all of them: far above rounding, so that redundant rows have
// a Cholesky factor, and far below what would cost Newton's iteration a pass.
constexpr double regularisation = 1e-10;

// Distance by which bodies are pushed, in units of the violation: contacts with smaller gaps are included, since they
// may close. (Others that close are found in the next pass.)
constexpr double reachOfViolation = 10.;

// Only the remaining violation decides; this provides the solver's certificate for messages.
constexpr double solverTolerance = 1e-6;

}  // namespace

ConstraintProjection::ConstraintProjection(const ProjectionOptions& options)
    : options_(options), solver_(numerics::BlockPivotingOptions{.tolerance = solverTolerance}) {
  if (!(options.tolerance > 0.) || !std::isfinite(options.tolerance)) {
    throw Error("TimeStepping",
                "the tolerance of the projection must be positive and finite, got " + toText(options.tolerance) + ".");
  }
  if (options.maxIterations == 0) {
    throw Error("TimeStepping", "the iteration limit of the projection must be at least 1.");
  }
}

bool ConstraintProjection::isProjected(const InteractionWork& step) const {
  const NonSmoothLaw& law = step.interaction->law();
  return !step.compliant && !step.flow && (law.actsOnVelocities() || law.set()->isFree());
}

void ConstraintProjection::addCoupling(Coupling coupling) {
  movers_[coupling.system].couplings.push_back(couplings_.size());
  couplings_.push_back(std::move(coupling));
}

void ConstraintProjection::bind(const SecondOrderWorkspace& work) {
  interactions_ = work.interactions.size();
  movers_.assign(work.systems.size(), {});
  parts_.assign(interactions_, {});
  couplings_.clear();
  for (std::size_t s = 0; s < movers_.size(); ++s) {
    const SecondOrderDS& system = *work.systems[s].system;
    Mover& mover = movers_[s];
    for (std::size_t i = 0; i < system.dimension(); ++i) mover.scale.push_back(std::sqrt(system.inverseRateMetric(i)));
    mover.q = mover.start = mover.moved = mover.gradient = system.q();
    mover.displacement = system.velocity();
    if (inCoordinates()) system.rates(system.q(), mover.rates);
  }
  for (std::size_t k = 0; k < interactions_; ++k) {
    const InteractionWork& step = work.interactions[k];
    parts_[k].equality = !step.interaction->law().actsOnVelocities();
    parts_[k].pushed.assign(step.interaction->blocks(), 0);
    parts_[k].begin = couplings_.size();
    for (std::size_t c = step.begin; c < step.end; ++c) {
      const SystemWork& system = work.systemOf(c);
      const StepEquations::Coupling& coupling = work.equations.couplings()[c];
      addCoupling({k, coupling.node, coupling.first, coupling.columns,
                   Matrix(step.interaction->size(), inCoordinates() ? system.q.size() : system.v.size())});
    }
    parts_[k].end = couplings_.size();
  }
  for (std::size_t s = 0; s < movers_.size(); ++s) {
    const std::size_t constraints = inCoordinates() ? work.systems[s].system->configurationConstraints() : 0;
    for (std::size_t own = 0; own < constraints; ++own) {
      Part& part = parts_.emplace_back();
      part.begin = couplings_.size();
      part.end = part.begin + 1;
      part.equality = true;
      part.own = own;
      addCoupling({parts_.size() - 1, s, 0, 0, Matrix(1, movers_[s].q.size())});
    }
  }
}

ConstraintProjection::Result ConstraintProjection::project(SecondOrderWorkspace& work, double t) {
  Result result;
  for (Part& part : parts_) {
    part.rows.clear();
    std::fill(part.pushed.begin(), part.pushed.end(), 0);
  }
  result.violationBefore = result.violation = measure(work, t);
  if (result.violation > options_.tolerance) begin(work);
  double reach = 0.;
  // Passes that find new contacts are not counted: there are at most as many as contacts.
  for (std::size_t passes = 0; result.violation > options_.tolerance && passes < options_.maxIterations;) {
    reach = std::max(reach, reachOfViolation * result.violation);
    const bool grown = chooseRows(work, reach);
    if (!grown || result.iterations == 0) ++passes;
    chooseMovers();
    linearise(work, t);
    result.solve = solve(work);
    ++result.iterations;
    if (!allFinite(Lambda_)) break;
    move(work);
    markPushed(work);
    result.violation = measure(work, t);
  }
  result.converged = result.violation <= options_.tolerance;
  if (result.converged || result.violation < result.violationBefore) return result;
  restore(work);
  result.violation = result.violationBefore;
  return result;
}

void ConstraintProjection::begin(const SecondOrderWorkspace& work) {
  for (std::size_t s = 0; s < movers_.size(); ++s) {
    assign(work.systems[s].q, movers_[s].start);
    assign(work.systems[s].q, movers_[s].q);
  }
}

// Outputs at the trial configurations, and the largest violation.
double ConstraintProjection::measure(SecondOrderWorkspace& work, double t) const {
  double violation = 0.;
  for (std::size_t k = 0; k < interactions_; ++k) {
    InteractionWork& step = work.interactions[k];
    const bool equality = parts_[k].equality;
    if (!isProjected(step) || (!equality && !takesAll() && !step.anyActive)) continue;
    work.computeOutput(step, t, &SystemWork::q, step.y);
    if (equality) {
      violation = std::max(violation, normInf(step.y));
      continue;
    }
    const std::size_t stride = step.interaction->law().size();
    for (std::size_t block = 0; block < step.demanded.size(); ++block) {
      if (!takesAll() && !work.equations.isActive(k, block)) continue;
      violation = std::max(violation, -step.y(block * stride));
    }
  }
  return violation;
}

// A contact that has become a row stays one, so that the set of rows settles. True if there are new rows.
bool ConstraintProjection::chooseRows(const SecondOrderWorkspace& work, double reach) {
  bool grown = false;
  for (std::size_t k = 0; k < interactions_; ++k) {
    const InteractionWork& step = work.interactions[k];
    std::vector<std::size_t>& rows = parts_[k].rows;
    if (!isProjected(step)) continue;
    if (parts_[k].equality) {
      rows.resize(step.y.size());
      std::iota(rows.begin(), rows.end(), std::size_t{0});
      continue;
    }
    const std::size_t stride = step.interaction->law().size();
    std::size_t next = 0;
    for (std::size_t block = 0; block < step.demanded.size(); ++block) {
      const std::size_t gap = block * stride;
      if (next < rows.size() && rows[next] == gap) {
        ++next;
      } else if (work.equations.isActive(k, block) || (takesAll() && step.y(gap) < reach)) {
        rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(next++), gap);
        grown = true;
      }
    }
  }
  return grown;
}

// Bodies with rows are moved; if necessary they get the row of their own constraint.
void ConstraintProjection::chooseMovers() {
  for (Mover& mover : movers_) mover.moves = false;
  for (const Coupling& coupling : couplings_) {
    if (coupling.part >= interactions_) {
      parts_[coupling.part].rows.assign(movers_[coupling.system].moves ? 1 : 0, 0);
    } else if (!parts_[coupling.part].rows.empty()) {
      movers_[coupling.system].moves = true;
    }
  }
}

void ConstraintProjection::linearise(SecondOrderWorkspace& work, double t) {
  if (inCoordinates()) lineariseCoordinates(work);
  for (std::size_t k = 0; k < interactions_; ++k) {
    if (parts_[k].rows.empty()) continue;
    const Matrix& G = work.jacobianAt(work.interactions[k], t, &SystemWork::q);
    std::size_t column = 0;
    for (std::size_t c = parts_[k].begin; c < parts_[k].end; ++c) {
      lineariseCoupling(G, column, parts_[k], couplings_[c]);
      column += couplings_[c].count;
    }
  }
}

// T at the configuration, and the own constraint where the coordinates are.
void ConstraintProjection::lineariseCoordinates(const SecondOrderWorkspace& work) {
  for (std::size_t s = 0; s < movers_.size(); ++s) {
    if (movers_[s].moves) work.systems[s].system->rates(work.systems[s].q, movers_[s].rates);
  }
  for (std::size_t k = interactions_; k < parts_.size(); ++k) {
    if (parts_[k].rows.empty()) continue;
    Coupling& own = couplings_[parts_[k].begin];
    Mover& mover = movers_[own.system];
    parts_[k].defect = work.systems[own.system].system->configurationConstraint(parts_[k].own, mover.q, mover.gradient);
    for (std::size_t j = 0; j < mover.gradient.size(); ++j) own.C(0, j) = mover.gradient(j);
  }
}

// C = G √D, or G (TᵀT)⁻¹ Tᵀ, with the columns of G from `column` on.
void ConstraintProjection::lineariseCoupling(const Matrix& G, std::size_t column, const Part& part,
                                             Coupling& coupling) const {
  const Mover& mover = movers_[coupling.system];
  for (const std::size_t row : part.rows) {
    if (!inCoordinates()) {
      for (std::size_t j = 0; j < coupling.count; ++j) {
        coupling.C(row, coupling.first + j) = G(row, column + j) * mover.scale[coupling.first + j];
      }
      continue;
    }
    for (std::size_t j = 0; j < coupling.C.size2(); ++j) {
      double sum = 0.;
      for (std::size_t i = 0; i < coupling.count; ++i) {
        const double scale = mover.scale[coupling.first + i];
        sum += G(row, column + i) * scale * scale * mover.rates(j, coupling.first + i);
      }
      coupling.C(row, j) = sum;
    }
  }
}

numerics::SolveReport ConstraintProjection::solve(const SecondOrderWorkspace& work) {
  placeParts();
  makePattern();
  fill();
  regularise();
  fillVectors(work);
  assignZero(Lambda_, problem_.size());
  return solver_.solve(problem_, Lambda_, w_);
}

void ConstraintProjection::placeParts() {
  present_.clear();
  std::size_t start = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].rows.empty()) continue;
    parts_[k].position = present_.size();
    parts_[k].start = start;
    start += parts_[k].rows.size();
    present_.push_back(k);
  }
}

void ConstraintProjection::makePattern() {
  BlockSparseMatrix& M = problem_.M();
  M.clear();
  for (const std::size_t k : present_) {
    const Part& part = parts_[k];
    M.beginRow(part.rows.size());
    neighbours_.clear();
    for (std::size_t c = part.begin; c < part.end; ++c) {
      for (const std::size_t other : movers_[couplings_[c].system].couplings) {
        const Part& linked = parts_[couplings_[other].part];
        if (!linked.rows.empty()) neighbours_.push_back(linked.position);
      }
    }
    std::sort(neighbours_.begin(), neighbours_.end());
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
    for (const std::size_t column : neighbours_) M.addBlock(column);
  }
  M.finish();
}

// M = Σ C Cᵀ over the systems that two parts share.
void ConstraintProjection::fill() {
  BlockSparseMatrix& M = problem_.M();
  for (std::size_t k = 0; k < present_.size(); ++k) {
    const Part& row = parts_[present_[k]];
    for (std::size_t block = M.rowBegin(k); block < M.rowEnd(k); ++block) {
      const Part& column = parts_[present_[M.column(block)]];
      double* target = M.block(block);
      for (std::size_t c = row.begin; c < row.end; ++c) {
        for (std::size_t d = column.begin; d < column.end; ++d) {
          if (couplings_[c].system != couplings_[d].system) continue;
          const Matrix& left = couplings_[c].C;
          const Matrix& right = couplings_[d].C;
          double* entry = target;
          for (const std::size_t j : column.rows) {
            for (const std::size_t i : row.rows) {
              double sum = 0.;
              for (std::size_t l = 0; l < left.size2(); ++l) sum += left(i, l) * right(j, l);
              *entry++ += sum;
            }
          }
        }
      }
    }
  }
}

void ConstraintProjection::regularise() {
  BlockSparseMatrix& M = problem_.M();
  if (diagonal_.size() != M.size()) diagonal_.resize(M.size(), false);
  M.diagonal(data(diagonal_));
  const double largest = normInf(diagonal_);
  for (std::size_t k = 0; k < present_.size(); ++k) {
    const std::size_t rows = M.blockSize(k);
    for (std::size_t block = M.rowBegin(k); block < M.rowEnd(k); ++block) {
      if (M.column(block) != k) continue;
      for (std::size_t i = 0; i < rows; ++i) {
        // A row that no displacement changes has a diagonal of zero.
        const double own = diagonal_(M.offset(k) + i);
        M.block(block)[i * (rows + 1)] += regularisation * (own > 0. ? own : largest > 0. ? largest : 1.);
      }
    }
  }
  M.touch();
}

void ConstraintProjection::fillVectors(const SecondOrderWorkspace& work) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (Vector* v : {&problem_.q(), &problem_.lower(), &problem_.upper()}) assignZero(*v, problem_.M().size());
  for (const std::size_t k : present_) {
    const Part& part = parts_[k];
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      const std::size_t row = part.start + i;
      problem_.lower()(row) = part.equality ? -infinity : 0.;
      problem_.upper()(row) = infinity;
      problem_.q()(row) = k < interactions_ ? work.interactions[k].y(part.rows[i]) : part.defect;
    }
  }
}

void ConstraintProjection::move(SecondOrderWorkspace& work) {
  for (std::size_t s = 0; s < movers_.size(); ++s) {
    Mover& mover = movers_[s];
    if (!mover.moves) continue;
    computeDisplacement(mover);
    Vector& q = work.systems[s].q;
    const SecondOrderDS& system = *work.systems[s].system;
    if (inCoordinates()) {
      addScaled(1., mover.displacement, mover.q);
      assign(mover.q, q);
      system.normalise(q);
    } else {
      for (std::size_t j = 0; j < mover.scale.size(); ++j) mover.displacement(j) *= mover.scale[j];
      system.move(q, mover.displacement, mover.moved);
      q.swap(mover.moved);
    }
  }
}

// Cᵀ Λ
void ConstraintProjection::computeDisplacement(Mover& mover) const {
  assignZero(mover.displacement, inCoordinates() ? mover.q.size() : mover.scale.size());
  for (const std::size_t c : mover.couplings) {
    const Part& part = parts_[couplings_[c].part];
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      const double multiplier = Lambda_(part.start + i);
      if (multiplier == 0.) continue;
      for (std::size_t j = 0; j < mover.displacement.size(); ++j) {
        mover.displacement(j) += couplings_[c].C(part.rows[i], j) * multiplier;
      }
    }
  }
}

void ConstraintProjection::markPushed(const SecondOrderWorkspace& work) {
  for (std::size_t k = 0; k < interactions_; ++k) {
    Part& part = parts_[k];
    if (part.equality || part.rows.empty()) continue;
    const std::size_t stride = work.interactions[k].interaction->law().size();
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      if (Lambda_(part.start + i) > 0.) part.pushed[part.rows[i] / stride] = 1;
    }
  }
}

std::size_t ConstraintProjection::demandPushed(SecondOrderWorkspace& work) const {
  std::size_t count = 0;
  for (std::size_t k = 0; takesAll() && k < interactions_; ++k) {
    std::vector<char>& demanded = work.interactions[k].demanded;
    for (std::size_t block = 0; block < demanded.size(); ++block) {
      if (work.equations.isActive(k, block) || !pushed(k, block)) continue;
      demanded[block] = 1;
      ++count;
    }
  }
  return count;
}

void ConstraintProjection::restore(SecondOrderWorkspace& work) const {
  for (std::size_t s = 0; s < movers_.size(); ++s) assign(movers_[s].start, work.systems[s].q);
}

}  // namespace delassus
