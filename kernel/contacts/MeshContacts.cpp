// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/MeshContacts.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/rotations/FixedSize.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <string>
#include <string_view>

namespace delassus {
namespace {

void requirePlace(const Vector& place, std::size_t dimension, std::string_view what) {
  requireSize(place, dimension, what);
  requireFinite(place, what);
}

// Rows n and tangents, orthonormal.
Matrix frameOf(const Vector& n) {
  if (n.size() == 2) return makeMatrix({{n(0), n(1)}, {n(1), -n(0)}});
  const Matrix3 frame = contactFrame({n(0), n(1), n(2)});
  Matrix rows(3, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) rows(i, j) = frame[3 * i + j];
  }
  return rows;
}

// Where a node is along a segment, and the direction in which their distance is measured.
struct SegmentContact {
  double s;    // from 0 to 1
  double gap;  // m
  std::array<double, 2> normal, tangent;
};

using Point = std::array<double, 2>;

SegmentContact contactOf(const Point& x, const Point& a, const Point& b) {
  const double ex = b[0] - a[0], ey = b[1] - a[1], length = std::hypot(ex, ey);
  const Point t{ex / length, ey / length};
  const double along = (t[0] * (x[0] - a[0]) + t[1] * (x[1] - a[1])) / length;
  const double s = std::clamp(along, 0., 1.);
  const Point n{-t[1], t[0]};
  if (s == along) return {s, n[0] * (x[0] - a[0]) + n[1] * (x[1] - a[1]), n, {n[1], -n[0]}};
  // The end itself has no direction: a node that slides over it would collide with it.
  return {s, std::hypot(x[0] - (a[0] + s * ex), x[1] - (a[1] + s * ey)), n, {n[1], -n[0]}};
}

}  // namespace

LagrangianLinearTIR nodeToPlane(const Vector& X, const Vector& normal, const Vector& point, ContactOutputs outputs) {
  const std::string label = "nodeToPlane";
  if (X.size() != 2 && X.size() != 3) {
    throw Error(label, "the place of the node must have 2 or 3 coordinates, got " + std::to_string(X.size()) + ".");
  }
  requirePlace(X, X.size(), label + ": place of the node");
  requirePlace(normal, X.size(), label + ": normal");
  requirePlace(point, X.size(), label + ": point of the plane");
  const double length = norm2(normal);
  if (!(length > 0.)) throw Error(label, "the normal is zero.");
  const Matrix frame = frameOf(normal / length);
  const std::size_t rows = outputs == ContactOutputs::gap ? 1 : X.size();
  Matrix H(rows, X.size());
  Vector b(rows);
  for (std::size_t j = 0; j < X.size(); ++j) {
    for (std::size_t i = 0; i < rows; ++i) H(i, j) = frame(i, j);
    b(0) += frame(0, j) * (X(j) - point(j));
  }
  return {H, b};
}

LagrangianContactR nodeToSegment(const Vector& X, const Vector& a, const Vector& b, ContactOutputs outputs) {
  const std::string label = "nodeToSegment";
  requirePlace(X, 2, label + ": place of the node");
  requirePlace(a, 2, label + ": first end");
  requirePlace(b, 2, label + ": second end");
  if (!(norm2(b - a) > 0.)) throw Error(label, "the ends of the segment are one point.");
  const auto at = [X = Point{X(0), X(1)}, a = Point{a(0), a(1)}, b = Point{b(0), b(1)}](const Vector& u) {
    return contactOf({X[0] + u(0), X[1] + u(1)}, {a[0] + u(2), a[1] + u(3)}, {b[0] + u(4), b[1] + u(5)});
  };
  const auto setRow = [](const Point& direction, double s, Matrix& row) {
    for (std::size_t i = 0; i < 2; ++i) {
      row(0, i) = direction[i];
      row(0, 2 + i) = (s - 1.) * direction[i];
      row(0, 4 + i) = -s * direction[i];
    }
  };
  auto gap = withJacobians([at](const Vector& u, Vector& y) { y(0) = at(u).gap; },
                           [at, setRow](const Vector& u, Matrix& byU) {
                             const SegmentContact contact = at(u);
                             setRow(contact.normal, contact.s, byU);
                           });
  if (outputs == ContactOutputs::gap) return LagrangianContactR(std::move(gap));
  return LagrangianContactR(2, std::move(gap), [at, setRow](double, const Vector& u, Matrix& rows) {
    const SegmentContact contact = at(u);
    setRow(contact.tangent, contact.s, rows);
  });
}

}  // namespace delassus
