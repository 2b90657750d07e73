// SPDX-License-Identifier: Apache-2.0
#include "ExtendedResiduals.hpp"

#include "ContactRows.hpp"

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/DisjointSets.hpp>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

namespace delassus::test {
namespace {

using namespace numerics;

using Real = long double;
using Reals = std::vector<Real>;

bool isFinite(const Vector& x) {
  return std::all_of(x.begin(), x.end(), [](double entry) { return std::isfinite(entry); });
}

Real length(const Real* x, std::size_t count) {
  Real sum = 0.;
  for (std::size_t i = 0; i < count; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

Real length(const Reals& x) {
  return length(x.data(), x.size());
}

Reals extended(const Vector& x) {
  return {x.begin(), x.end()};
}

Real orOne(Real scale) {
  return scale < Real(1e-150) ? Real(1.) : scale;
}

// A x + b
Reals affine(const Matrix& A, const Vector& x, const Vector& b) {
  Reals result = extended(b);
  for (std::size_t i = 0; i < A.size1(); ++i) {
    for (std::size_t j = 0; j < A.size2(); ++j) result[i] += Real(A(i, j)) * Real(x(j));
  }
  return result;
}

// x := its projection on { ‖x_s‖ ≤ μ_s x_N }, one or two discs of some rows after the first.
struct Disc {
  Real mu;
  std::size_t first, rows;
};

void projectOnCone(Real* x, std::initializer_list<Disc> discs) {
  // The normal component n is the root of n − x_N − Σ μ (‖x_s‖ − μ n)₊, a minimum of lines that rise: the largest root.
  Real normal = std::max(Real(0.), x[0]);
  for (unsigned chosen = 1; chosen < (1U << discs.size()); ++chosen) {
    Real sum = x[0], share = 1.;
    unsigned bit = 1;
    for (const Disc& disc : discs) {
      if ((chosen & bit) != 0) {
        sum += disc.mu * length(x + disc.first, disc.rows);
        share += disc.mu * disc.mu;
      }
      bit <<= 1U;
    }
    normal = std::max(normal, sum / share);
  }
  x[0] = normal;
  for (const Disc& disc : discs) {
    const Real size = length(x + disc.first, disc.rows);
    if (size <= disc.mu * normal) continue;
    for (std::size_t i = 0; i < disc.rows; ++i) x[disc.first + i] *= disc.mu * normal / size;
  }
}

// ‖ r − P_K(r − û) ‖²
Real naturalMap(const Reals& r, const Reals& u, std::initializer_list<Disc> discs) {
  Reals x = r;
  for (std::size_t i = 0; i < r.size(); ++i) x[i] -= u[i];
  for (const Disc& disc : discs) x[0] -= disc.mu * length(u.data() + disc.first, disc.rows);
  projectOnCone(x.data(), discs);
  Real squares = 0.;
  for (std::size_t i = 0; i < r.size(); ++i) squares += (r[i] - x[i]) * (r[i] - x[i]);
  return squares;
}

Vector diagonalOf(const Matrix& W) {
  Vector diagonal(W.size1());
  for (std::size_t i = 0; i < W.size1(); ++i) diagonal(i) = W(i, i);
  return diagonal;
}

Real meanDiagonal(const Vector& diagonal, std::size_t first, std::size_t end) {
  Real trace = 0.;
  for (std::size_t i = first; i < end; ++i) trace += diagonal(i);
  return trace > 0. ? trace / static_cast<Real>(end - first) : Real(1.);
}

// Σ ‖F‖²/d and Σ ‖q‖²/d of the parts of a mechanical problem, d from the diagonal of W or of what stands for it.
struct Energies {
  const ProblemOverSets& problem;
  const Vector& diagonal;
  const Vector& lambda;
  const Reals& w;
  const Reals& q;
  Real map = 0., data = 0.;

  void addAll(const std::vector<Part>& parts) {
    std::size_t first = 0;
    for (const Part& part : parts) {
      // Associated friction has no shift of the velocity.
      if (part.set->isContact() && part.set->name() != "associated") {
        addContact(first, part);
      } else if (part.set->couplesRows()) {
        addProjected(first, part);
      } else {
        for (std::size_t i = first; i < first + part.rows; ++i) addRow(i, part.set->name());
      }
      first += part.rows;
    }
  }

  // Told from the name of the set alone.
  void addRow(std::size_t row, std::string_view set) {
    const Real infinity = std::numeric_limits<Real>::infinity();
    const Real lower = set == "box" ? Real(problem.lower()(row)) : set == "orthant" ? Real(0.) : -infinity;
    const Real upper = set == "box" ? Real(problem.upper()(row)) : infinity;
    const Real d = diagonal(row) > 0. ? Real(diagonal(row)) : Real(1.);
    const Real x = d * Real(lambda(row)) - w[row];
    const Real projected = std::clamp(x, d * lower, d * upper);
    const Real F = d * Real(lambda(row)) - projected;
    map += F * F / d;
    data += q[row] * q[row] / d;
  }

  // Sets of coupled rows without shift, told from their name and coefficients.
  void addProjected(std::size_t first, const Part& part) {
    const std::size_t m = part.rows;
    const Real d = meanDiagonal(diagonal, first, first + m);
    const Real a = part.set->coefficients()[0], k = d * Real(part.set->coefficients()[1]);
    Reals x(m);
    for (std::size_t i = 0; i < m; ++i) x[i] = d * Real(lambda(first + i)) - w[first + i];
    const auto shrink = [&](std::size_t from, Real radius) {
      const Real size = length(x.data() + from, m - from);
      for (std::size_t i = from; i < m && size > radius; ++i) x[i] *= radius / size;
    };
    if (part.set->name() == "second_order" || part.set->name() == "associated") {
      projectOnCone(x.data(), {{a, 1, m - 1}});
    } else if (part.set->name() == "ball") {
      shrink(0, d * a);
    } else if (a > Real(0.)) {
      // Drucker and Prager's: a cone downwards from its tip.
      x[0] = k / a - x[0];
      projectOnCone(x.data(), {{a, 1, m - 1}});
      x[0] = k / a - x[0];
    } else {
      shrink(1, k);
    }
    for (std::size_t i = 0; i < m; ++i) {
      const Real F = d * Real(lambda(first + i)) - x[i], free = q[first + i];
      map += F * F / d;
      data += free * free / d;
    }
  }

  void addContact(std::size_t first, const Part& part) {
    const ContactRows contact(part);
    const std::size_t tangents = contact.tangents, rolls = contact.rolls;
    const Real d = meanDiagonal(diagonal, first, first + 1 + tangents);
    const Real c =
        rolls > 0 ? std::sqrt(d / meanDiagonal(diagonal, first + 1 + tangents, first + part.rows)) : Real(1.);
    Reals r(part.rows), u(part.rows);
    for (std::size_t i = 0; i < part.rows; ++i) {
      const Real unit = i > tangents ? c : Real(1.);
      r[i] = d * Real(lambda(first + i)) / unit;
      u[i] = unit * w[first + i];
      const Real free = unit * q[first + i];
      data += free * free / d;
    }
    const Disc slip{contact.friction, 1, tangents};
    if (rolls == 0) {
      map += naturalMap(r, u, {slip}) / d;
    } else {
      map += naturalMap(r, u, {slip, {Real(contact.rolling) / c, 1 + tangents, rolls}}) / d;
    }
  }
};

// Σ_c ‖ d_c r_c − P_K(d_c r_c − û_c) ‖²
Real contactSquares(std::size_t d, const Vector& mu, const Reals& scales, const Real* r, const Reals& u) {
  Real squares = 0.;
  for (std::size_t contact = 0; contact < mu.size(); ++contact) {
    Reals reaction(d), velocity(d);
    for (std::size_t i = 0; i < d; ++i) {
      reaction[i] = scales[contact] * r[d * contact + i];
      velocity[i] = u[d * contact + i];
    }
    squares += naturalMap(reaction, velocity, {{mu(contact), 1, d - 1}});
  }
  return squares;
}

// The solution of rows with their right-hand side at the end.
Reals eliminated(std::vector<Reals> rows) {
  const std::size_t n = rows.size();
  Reals b(n);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) pivot = std::abs(rows[i][k]) > std::abs(rows[pivot][k]) ? i : pivot;
    std::swap(rows[k], rows[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const Real factor = rows[i][k] / rows[k][k];
      for (std::size_t j = k; factor != 0. && j <= n; ++j) rows[i][j] -= factor * rows[k][j];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    b[k] = rows[k][n];
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= rows[k][j] * b[j];
    b[k] /= rows[k][k];
  }
  return b;
}

// M⁻¹ b by elimination with the largest pivots, block after block: M may have thousands of rows, a body few of them.
Reals solved(const SparseMatrix& M, const Reals& b) {
  std::vector<std::size_t> body;
  DisjointSets bodies(body, b.size());
  for (std::size_t j = 0; j < b.size(); ++j) {
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) bodies.join(j, rowOf(M, k));
  }
  std::vector<std::vector<std::size_t>> rowsOf(bodies.number());
  for (std::size_t i = 0; i < b.size(); ++i) rowsOf[body[i]].push_back(i);
  std::vector<std::size_t> place(b.size());
  Reals x(b.size());
  for (const std::vector<std::size_t>& own : rowsOf) {
    std::vector<Reals> rows(own.size(), Reals(own.size() + 1));
    for (std::size_t i = 0; i < own.size(); ++i) {
      place[own[i]] = i;
      rows[i].back() = b[own[i]];
    }
    for (std::size_t j = 0; j < own.size(); ++j) {
      for (std::size_t k = columnStart(M, own[j]); k < columnStart(M, own[j] + 1); ++k) {
        rows[place[rowOf(M, k)]][j] = valueOf(M, k);
      }
    }
    const Reals part = eliminated(std::move(rows));
    for (std::size_t i = 0; i < own.size(); ++i) x[own[i]] = part[i];
  }
  return x;
}

}  // namespace

// Hᵀ M⁻¹ (H λ + f) + b
std::vector<long double> globalOutputs(const GlobalMechanicalProblem& problem, const Vector& lambda) {
  const SparseMatrix& H = problem.H();
  Reals forces = extended(problem.f()), w = extended(problem.b());
  for (std::size_t j = 0; j < H.size2(); ++j) {
    for (std::size_t k = columnStart(H, j); k < columnStart(H, j + 1); ++k) {
      forces[rowOf(H, k)] += Real(valueOf(H, k)) * Real(lambda(j));
    }
  }
  const Reals v = solved(problem.M(), forces);
  for (std::size_t j = 0; j < H.size2(); ++j) {
    for (std::size_t k = columnStart(H, j); k < columnStart(H, j + 1); ++k)
      w[j] += Real(valueOf(H, k)) * v[rowOf(H, k)];
  }
  return w;
}

namespace {

// The diagonal of Hᵀ diag(M)⁻¹ H.
Vector globalScales(const GlobalMechanicalProblem& problem) {
  const SparseMatrix& H = problem.H();
  Vector masses(H.size1()), scales(problem.size());
  for (std::size_t j = 0; j < H.size1(); ++j) {
    for (std::size_t k = columnStart(problem.M(), j); k < columnStart(problem.M(), j + 1); ++k) {
      if (rowOf(problem.M(), k) == j) masses(j) = valueOf(problem.M(), k);
    }
  }
  for (std::size_t j = 0; j < H.size2(); ++j) {
    for (std::size_t k = columnStart(H, j); k < columnStart(H, j + 1); ++k) {
      const double mass = masses(rowOf(H, k));
      if (mass > 0.) scales(j) += valueOf(H, k) * valueOf(H, k) / mass;
    }
  }
  return scales;
}

}  // namespace

long double extendedResidual(const LinearComplementarityProblem& problem, const Vector& z) {
  if (!isFinite(z)) return std::numeric_limits<Real>::infinity();
  Matrix M;
  problem.M().toDense(M);
  const Reals w = affine(M, z, problem.q());
  Real squares = 0.;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const Real component = std::min((M(i, i) > 0. ? Real(M(i, i)) : Real(1.)) * Real(z(i)), w[i]);
    squares += component * component;
  }
  return std::sqrt(squares) / orOne(length(extended(problem.q())));
}

long double extendedResidual(const MixedLinearComplementarityProblem& problem, const Vector& z) {
  if (!isFinite(z)) return std::numeric_limits<Real>::infinity();
  Matrix M;
  problem.M().toDense(M);
  const Reals w = affine(M, z, problem.q());
  Real squares = 0.;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const Real d = M(i, i) > 0. ? Real(M(i, i)) : Real(1.);
    const bool isEquality = problem.row(i) == MixedLinearComplementarityProblem::Row::equality;
    const Real component = isEquality ? w[i] : std::min(d * Real(z(i)), w[i]);
    squares += component * component;
  }
  return std::sqrt(squares) / orOne(length(extended(problem.q())));
}

long double extendedResidual(const RelayProblem& problem, const Vector& z) {
  if (!isFinite(z)) return std::numeric_limits<Real>::infinity();
  Matrix M;
  problem.M().toDense(M);
  const Reals w = affine(M, z, problem.q());
  Real squares = 0.;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const Real d = M(i, i) > 0. ? Real(M(i, i)) : Real(1.);
    const Real x = d * Real(z(i));
    const Real component = x - std::clamp(x - w[i], d * Real(problem.lower()(i)), d * Real(problem.upper()(i)));
    squares += component * component;
  }
  return std::sqrt(squares) / orOne(length(extended(problem.q())));
}

long double extendedResidual(const FrictionContactProblem& problem, const Vector& r) {
  if (!isFinite(r)) return std::numeric_limits<Real>::infinity();
  BlockSparseMatrix assembled;
  problem.W().assemble(assembled);
  Matrix W;
  assembled.toDense(W);
  const std::size_t d = problem.dimension();
  const Vector diagonal = diagonalOf(W);
  Reals scales;
  for (std::size_t i = 0; i < problem.size(); i += d) scales.push_back(meanDiagonal(diagonal, i, i + d));
  const Reals u = affine(W, r, problem.q());
  return std::sqrt(contactSquares(d, problem.mu(), scales, extended(r).data(), u)) /
         orOne(length(extended(problem.q())));
}

long double extendedResidual(const GlobalFrictionContactProblem& problem, const Vector& r) {
  if (!isFinite(r)) return std::numeric_limits<Real>::infinity();
  const std::size_t d = problem.dimension();
  const Vector diagonal = globalScales(problem);
  Reals scales;
  for (std::size_t i = 0; i < problem.size(); i += d) scales.push_back(meanDiagonal(diagonal, i, i + d));
  const Reals u = globalOutputs(problem, r), free = globalOutputs(problem, Vector(r.size()));
  return std::sqrt(contactSquares(d, problem.mu(), scales, extended(r).data(), u)) / orOne(length(free));
}

long double extendedResidual(const GlobalMechanicalProblem& problem, const Vector& lambda) {
  if (!isFinite(lambda)) return std::numeric_limits<Real>::infinity();
  const Vector scales = globalScales(problem);
  const Reals w = globalOutputs(problem, lambda), free = globalOutputs(problem, Vector(lambda.size()));
  Energies energies{problem, scales, lambda, w, free};
  energies.addAll(problem.parts());
  return std::sqrt(energies.map) / orOne(std::sqrt(energies.data));
}

long double extendedResidual(const GenericMechanicalProblem& problem, const Vector& lambda) {
  if (!isFinite(lambda)) return std::numeric_limits<Real>::infinity();
  Matrix W;
  problem.W().toDense(W);
  const Reals w = affine(W, lambda, problem.q()), q = extended(problem.q());
  const Vector diagonal = diagonalOf(W);
  Energies energies{problem, diagonal, lambda, w, q};
  energies.addAll(problem.parts());
  return std::sqrt(energies.map) / orOne(std::sqrt(energies.data));
}

}  // namespace delassus::test
