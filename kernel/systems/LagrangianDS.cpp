// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <utility>
#include <vector>

namespace delassus {

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& v0)
    : SecondOrderDS(q0, v0, "LagrangianDS"), term_(v0.size()) {
  requireSize(q0, v0.size(), "LagrangianDS: initial position q0 (of the size of v0)");
}

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& v0, const SquareMatrix& mass) : LagrangianDS(q0, v0) {
  setMass(mass);
}

void LagrangianDS::setZ(const Vector& z) {
  requireFinite(z, label() + ": parameters z");
  z_ = z;
  parametersChanged();
}

void LagrangianDS::setTypicalSize(double typicalSize) {
  requireTypicalSize(typicalSize);
  typicalSize_ = typicalSize;
}

void LagrangianDS::setMass(const SquareMatrix& constant) {
  requireSize(constant, dimension(), dimension(), label() + ": mass M");
  requireFinite(constant, label() + ": mass M");
  requirePositiveDefinite(constant, label() + ": mass M");
  requireNoNNL(static_cast<bool>(nnl_), constant.isSparse());
  mass_ = constant;
  if (mass_.isSparse()) pattern_ = mass_.sparse();
  if (mass_.isSparse() && !sparseForces_.f) byQ_ = byV_ = SparseMatrix(dimension(), dimension());
  massFunction_ = nullptr;
  parametersChanged();
}

void LagrangianDS::setNNL(InertiaFunction nnl) {
  requireNoNNL(true, mass_.isSparse());
  nnl_ = std::move(nnl);
  parametersChanged();
}

void LagrangianDS::requireNoNNL(bool isGiven, bool isSparse) const {
  if (!isGiven || !isSparse) return;
  throw Error(label(),
              "a system with a sparse mass takes no NNL, whose Jacobians are dense; write it as a part of the "
              "internal forces (SparseForce).");
}

void LagrangianDS::setInternalForces(SparseForce internalForces) {
  if (!internalForces.f) throw Error(label(), "the function of the internal forces is empty.");
  sparseForces_ = std::move(internalForces);
  internalForces_ = {};
  byQ_ = byV_ = SparseMatrix(dimension(), dimension());
  parametersChanged();
}

void LagrangianDS::setExternalForces(const Vector& constant) {
  requireSize(constant, dimension(), label() + ": external forces");
  requireFinite(constant, label() + ": external forces");
  externalForces_.set(constant);
  parametersChanged();
}

void LagrangianDS::computeMass(const Vector& q, Matrix& mass) {
  if (massFunction_) {
    massFunction_(q, mass);
  } else if (mass_.isSparse()) {
    mass = toDense(mass_);
  } else if (mass_.size1() > 0) {
    mass = mass_.dense();
  } else {
    throw Error(label(), "no mass was given: pass a matrix to the constructor, call setMass, or override computeMass.");
  }
}

void LagrangianDS::computeFExt(double t, Vector& force) {
  externalForces_.compute(t, force);
}

void LagrangianDS::computeFInt(double t, const Vector& q, const Vector& v, Vector& force) {
  if (internalForces_) internalForces_.value(t, q, v, force);
  if (sparseForces_.f) sparseForces_.f(t, q, v, force);
}

void LagrangianDS::computeJacobianFIntq(double t, const Vector& q, const Vector& v, Matrix& jacobian) {
  if (internalForces_) {
    internalForces_.jacobian<0>(t, q, v, jacobian);
  } else if (sparseForces_.f) {
    if (!sparseForces_.byQ) return;
    sparseForces_.byQ(t, q, v, byQ_);
    jacobian = toDense(byQ_);
  } else {
    const auto term = [this](double at, const Vector& x, const Vector& y, Vector& out) { computeFInt(at, x, y, out); };
    fIntDifferences_.compute<1>(term, t, q, v, jacobian, typicalSize_);
  }
}

void LagrangianDS::computeJacobianFIntv(double t, const Vector& q, const Vector& v, Matrix& jacobian) {
  if (internalForces_) {
    internalForces_.jacobian<1>(t, q, v, jacobian);
  } else if (sparseForces_.f) {
    if (!sparseForces_.byV) return;
    sparseForces_.byV(t, q, v, byV_);
    jacobian = toDense(byV_);
  } else {
    const auto term = [this](double at, const Vector& x, const Vector& y, Vector& out) { computeFInt(at, x, y, out); };
    fIntDifferences_.compute<2>(term, t, q, v, jacobian, typicalSize_);
  }
}

void LagrangianDS::computeNNL(const Vector& q, const Vector& v, Vector& force) {
  if (nnl_) nnl_.value(q, v, force);
}

void LagrangianDS::computeJacobianNNLq(const Vector& q, const Vector& v, Matrix& jacobian) {
  if (nnl_) {
    nnl_.jacobian<0>(q, v, jacobian);
  } else {
    const auto term = [this](const Vector& x, const Vector& y, Vector& out) { computeNNL(x, y, out); };
    nnlDifferences_.compute<0>(term, q, v, jacobian, typicalSize_);
  }
}

void LagrangianDS::computeJacobianNNLv(const Vector& q, const Vector& v, Matrix& jacobian) {
  if (nnl_) {
    nnl_.jacobian<1>(q, v, jacobian);
  } else {
    const auto term = [this](const Vector& x, const Vector& y, Vector& out) { computeNNL(x, y, out); };
    nnlDifferences_.compute<1>(term, q, v, jacobian, typicalSize_);
  }
}

// Messages are composed only if there is an error, since this runs in every step.
void LagrangianDS::subtract(const Vector& term, const char* what, Vector& force) const {
  if (term.size() != dimension()) requireSize(term, dimension(), label() + ": " + what);
  addScaled(-1., term, force);
}

void LagrangianDS::subtract(const Matrix& term, const char* what, Matrix& total) const {
  const std::size_t n = dimension();
  if (term.size1() != n || term.size2() != n) requireSize(term, n, n, label() + ": Jacobian of " + what);
  for (std::size_t k = 0; k < n * n; ++k) total.data()[k] -= term.data()[k];
}

void LagrangianDS::inertialForces(const Vector& q, const Vector& v, Vector& force) {
  assignZero(force, dimension());
  assignZero(term_, dimension());
  computeNNL(q, v, term_);
  subtract(term_, "nonlinear inertia terms NNL", force);
}

void LagrangianDS::computeForces(double t, const Vector& q, const Vector& v, Vector& force) {
  computeFExt(t, force);
  if (force.size() != dimension()) requireSize(force, dimension(), label() + ": external forces F_ext");
  assignZero(term_, dimension());
  computeFInt(t, q, v, term_);
  subtract(term_, "internal forces F_int", force);
  assignZero(term_, dimension());
  computeNNL(q, v, term_);
  subtract(term_, "nonlinear inertia terms NNL", force);
}

void LagrangianDS::computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) {
  const std::size_t n = dimension();
  assignZero(termJacobian_, n, n);
  computeJacobianFIntq(t, q, v, termJacobian_);
  subtract(termJacobian_, "F_int with respect to q", byQ);
  assignZero(termJacobian_, n, n);
  computeJacobianFIntv(t, q, v, termJacobian_);
  subtract(termJacobian_, "F_int with respect to v", byV);
  assignZero(termJacobian_, n, n);
  computeJacobianNNLq(q, v, termJacobian_);
  subtract(termJacobian_, "NNL with respect to q", byQ);
  assignZero(termJacobian_, n, n);
  computeJacobianNNLv(q, v, termJacobian_);
  subtract(termJacobian_, "NNL with respect to v", byV);
}

void LagrangianDS::storeMass(const Vector& q, SquareMatrix& mass) {
  if (!mass_.isSparse()) return SecondOrderDS::storeMass(q, mass);
  store(1., mass_.sparse(), mass);
}

void LagrangianDS::storeForceJacobians(double t, const Vector& q, const Vector& v, SquareMatrix& byQ,
                                       SquareMatrix& byV) {
  if (!mass_.isSparse()) return SecondOrderDS::storeForceJacobians(t, q, v, byQ, byV);
  requireNoOverrides(t, q, v);
  if (!internalForces_) {
    storeSparseJacobian(sparseForces_.byQ, t, q, v, byQ_, byQ);
    storeSparseJacobian(sparseForces_.byV, t, q, v, byV_, byV);
    return;
  }
  const std::size_t n = dimension();
  for (SquareMatrix* const stored : {&byQ, &byV}) {
    assignZero(termJacobian_, n, n);
    if (stored == &byQ) {
      computeJacobianFIntq(t, q, v, termJacobian_);
    } else {
      computeJacobianFIntv(t, q, v, termJacobian_);
    }
    store(-1., sparseFromDense(termJacobian_), *stored);
  }
}

// The Jacobians of terms that a derived class computes would be dense; a force shows that it computes some.
void LagrangianDS::requireNoOverrides(double t, const Vector& q, const Vector& v) {
  assignZero(term_, dimension());
  computeNNL(q, v, term_);
  if (!internalForces_ && !sparseForces_.f) computeFInt(t, q, v, term_);
  if (std::all_of(term_.begin(), term_.end(), [](double entry) { return entry == 0.; })) return;
  throw Error(label(),
              "a derived class computes F_int or NNL, but the mass is sparse, and Jacobians of overridden terms are "
              "dense; give the force with its sparse Jacobians to setInternalForces (SparseForce).");
}

void LagrangianDS::storeSparseJacobian(const SparseForce::Jacobian& jacobian, double t, const Vector& q,
                                       const Vector& v, SparseMatrix& last, SquareMatrix& stored) {
  if (jacobian) jacobian(t, q, v, last);
  if (last.size1() != dimension() || last.size2() != dimension()) {
    requireSize(last, dimension(), dimension(), label() + ": sparse Jacobian of F_int at t = " + toText(t));
  }
  store(-1., last, stored);
}

void LagrangianDS::store(double factor, const SparseMatrix& A, SquareMatrix& stored) {
  stored.makeSparse(pattern_);
  if (stored.tryAdd(factor, A)) return;
  std::vector<Triplet> places;
  for (const SparseMatrix* const each : {static_cast<const SparseMatrix*>(&pattern_), &A}) {
    for (std::size_t j = 0; j < each->size2(); ++j) {
      for (std::size_t k = columnStart(*each, j); k < columnStart(*each, j + 1); ++k) {
        places.push_back({rowOf(*each, k), j, 0.});
      }
    }
  }
  pattern_ = sparseFromTriplets(dimension(), dimension(), std::move(places));
  stored.makeSparse(pattern_);
  if (stored.tryAdd(factor, A)) return;
  throw Error(label(), "the rows of a sparse Jacobian of F_int do not ascend within its columns.");
}

void LagrangianDS::requireFiniteForces(double t, const Vector& q, const Vector& v) {
  const auto require = [&](const char* what) {
    requireFinite(term_, label() + ": " + what + " at t = " + toText(t));
    assignZero(term_, dimension());
  };
  assignZero(term_, dimension());
  computeFExt(t, term_);
  require("external forces F_ext");
  computeFInt(t, q, v, term_);
  require("internal forces F_int");
  computeNNL(q, v, term_);
  require("nonlinear inertia terms NNL");
}

void LagrangianDS::checkJacobians(double t, const JacobianCheck& check) {
  const Matrix sized(dimension(), dimension());
  const auto what = [this](const char* term) { return label() + ": Jacobian of " + term; };
  const auto fInt = [this](double at, const Vector& x, const Vector& y, Vector& out) { computeFInt(at, x, y, out); };
  const auto nnl = [this](const Vector& x, const Vector& y, Vector& out) { computeNNL(x, y, out); };
  checkJacobian<1>(
      fInt, [this](double at, const Vector& x, const Vector& y, Matrix& J) { computeJacobianFIntq(at, x, y, J); },
      sized, check, what("F_int with respect to q"), t, q(), velocity());
  checkJacobian<2>(
      fInt, [this](double at, const Vector& x, const Vector& y, Matrix& J) { computeJacobianFIntv(at, x, y, J); },
      sized, check, what("F_int with respect to v"), t, q(), velocity());
  checkJacobian<0>(
      nnl, [this](const Vector& x, const Vector& y, Matrix& J) { computeJacobianNNLq(x, y, J); }, sized, check,
      what("NNL with respect to q"), q(), velocity());
  checkJacobian<1>(
      nnl, [this](const Vector& x, const Vector& y, Matrix& J) { computeJacobianNNLv(x, y, J); }, sized, check,
      what("NNL with respect to v"), q(), velocity());
}

void LagrangianDS::serializeState(StateArchive& archive) {
  SecondOrderDS::serializeState(archive);
  archive.value("z", z_);
  if (!mass_.isSparse()) return;
  // Sums over one pattern and over several differ by rounding.
  SquareMatrix pattern(pattern_);
  pattern.serializeState(archive);
  pattern_ = pattern.sparse();
}

}  // namespace delassus
