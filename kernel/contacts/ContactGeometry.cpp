// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/contacts/ContactGeometry.hpp>

namespace delassus {

Matrix3 ContactPoint::frame() const {
  if (tangent == Vector3{}) return contactFrame(normal);
  constexpr double smallestSine = 1e-6;  // of the angle between tangent and normal
  const Vector3 inPlane = tangent - dot(normal, tangent) * normal;
  const double length = norm(inPlane);
  if (!(length > smallestSine * norm(tangent))) return contactFrame(normal);
  const Vector3 t1 = 1. / length * inPlane;
  const Vector3 t2 = cross(normal, t1);
  return {normal[0], normal[1], normal[2], t1[0], t1[1], t1[2], t2[0], t2[1], t2[2]};
}

}  // namespace delassus
