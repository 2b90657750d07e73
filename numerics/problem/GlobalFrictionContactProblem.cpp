// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

const ProblemTraits globalFrictionTraits{"GlobalFrictionContactProblem", ResidualNorm::velocity};

std::shared_ptr<const SparseInverse> definite(std::shared_ptr<const SparseInverse> M) {
  if (M == nullptr) throw Error("GlobalFrictionContactProblem: M", "expected a matrix, got none.");
  if (M->isDefinite()) return M;
  const bool isNegative = std::any_of(M->diagonal().begin(), M->diagonal().end(), [](double x) { return !(x > 0.); });
  throw Error("GlobalFrictionContactProblem: M",
              M->isSymmetric() || isNegative ? "the matrix is not positive definite." : "the matrix is not symmetric.");
}

std::shared_ptr<const SparseInverse> definite(SparseMatrix M) {
  return definite(std::make_shared<const SparseInverse>(std::move(M), "GlobalFrictionContactProblem: M"));
}

std::vector<Part> contactsOf(std::size_t dimension, const Vector& mu, std::size_t rows) {
  if (dimension != 2 && dimension != 3) {
    throw Error("GlobalFrictionContactProblem", "expected dimension 2 or 3, got " + std::to_string(dimension) + ".");
  }
  requireSize(mu, rows / dimension, "GlobalFrictionContactProblem: mu");
  std::vector<Part> parts;
  for (std::size_t contact = 0; contact < mu.size(); ++contact) {
    if (!(mu(contact) >= 0. && mu(contact) < std::numeric_limits<double>::infinity())) {
      throw Error("GlobalFrictionContactProblem: mu", "expected coefficients of friction >= 0, got " +
                                                          toText(mu(contact)) + " at contact " +
                                                          std::to_string(contact) + ".");
    }
    // Contacts of one coefficient share their set.
    const bool isAsBefore = contact > 0 && mu(contact) == mu(contact - 1);
    parts.push_back(isAsBefore ? parts.back() : Part::coulomb(dimension, mu(contact)));
  }
  return parts;
}

}  // namespace

GlobalFrictionContactProblem::GlobalFrictionContactProblem()
    : GlobalFrictionContactProblem(3, std::make_shared<const SparseInverse>(), {}, {}, {}, {}) {
}

GlobalFrictionContactProblem::GlobalFrictionContactProblem(std::size_t dimension, SparseMatrix M, SparseMatrix H,
                                                           Vector f, Vector b, Vector mu)
    : GlobalFrictionContactProblem(dimension, definite(std::move(M)), std::move(H), std::move(f), std::move(b),
                                   std::move(mu)) {
}

GlobalFrictionContactProblem::GlobalFrictionContactProblem(std::size_t dimension,
                                                           std::shared_ptr<const SparseInverse> M, SparseMatrix H,
                                                           Vector f, Vector b, Vector mu)
    : GlobalMechanicalProblem(globalFrictionTraits, definite(std::move(M)), std::move(H), std::move(f), std::move(b),
                              contactsOf(dimension, mu, H.size2()), {}, {}),
      dimension_(dimension),
      mu_(std::move(mu)) {
}

void GlobalFrictionContactProblem::setFriction(const Vector& mu) {
  parts_ = contactsOf(dimension_, mu, size());
  assign(mu, mu_);
}

}  // namespace delassus::numerics
