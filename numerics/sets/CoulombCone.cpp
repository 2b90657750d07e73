// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/AlartCurnier.hpp>
#include <delassus/numerics/contact/FrictionCone.hpp>
#include <delassus/numerics/contact/OneContactSolver.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>

#include <algorithm>

namespace delassus::numerics {
namespace {

template <std::size_t d>
void copyScaled(const ContactMap<d>& map, const ConvexSet::Rows& rows, double* value, double* A, double* B) {
  std::copy(map.value.begin(), map.value.end(), value);
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < d; ++i) {
      A[i + d * j] = map.byU[i + d * j] * rows.c[j];
      B[i + d * j] = map.byP[i + d * j] * rows.d[j] / rows.c[j];
    }
  }
}

}  // namespace

void CoulombCone::alartCurnier(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                               double* B) const {
  std::array<double, 3> u{}, r{};
  for (std::size_t i = 0; i < rows.count; ++i) {
    u[i] = rows.c[i] * w[i];
    r[i] = rows.d[i] * lambda[i] / rows.c[i];
  }
  const double mu = shape(rows).friction;
  if (rows.count == 2) return copyScaled(numerics::alartCurnier<2>(mu, 1., 1., u.data(), r.data()), rows, value, A, B);
  copyScaled(numerics::alartCurnier<3>(mu, 1., 1., u.data(), r.data()), rows, value, A, B);
}

bool CoulombCone::mapByFriction(const Rows& rows, const double* w, const double* lambda, double* value) const {
  std::array<double, 3> u{}, r{};
  for (std::size_t i = 0; i < rows.count; ++i) {
    u[i] = rows.c[i] * w[i];
    r[i] = rows.d[i] * lambda[i] / rows.c[i];
  }
  ContactCone(shape(rows)).mapByFriction(u.data(), r.data(), value);
  const double unit = rows.c[0] / rows.c[1];  // of the coefficient in these units
  for (std::size_t i = 0; i < rows.count; ++i) value[i] *= unit;
  return true;
}

// The same as for other contacts, in closed form.
void CoulombCone::project(const Rows& rows, double* x) const {
  const double unit = rows.c[0] / rows.c[1];
  x[0] /= unit;
  projectOnCone(rows.count, coefficients()[0] * unit, x);
  x[0] *= unit;
}

void CoulombCone::solveLocal(const Rows& rows, const double* block, const RankRevealingLU&, double* w,
                             double* lambda) const {
  static const HybridOneContactSolver contact;
  constexpr std::array<double, 9> zeros{};
  subtractOwn(rows.count, block, lambda, w);
  contact.solve(rows.count, block != nullptr ? block : zeros.data(), w, coefficients()[0], lambda);
}

}  // namespace delassus::numerics
