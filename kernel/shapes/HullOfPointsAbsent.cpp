// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/HullOfPoints.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {

std::vector<HullFace> facesOfHull(const std::vector<Vector3>&) {
  throwAbsent("ConvexHull", "Qhull", "DELASSUS_WITH_QHULL");
}

}  // namespace delassus
