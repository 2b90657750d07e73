// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/VtkColliders.hpp>

#include <gtest/gtest.h>

namespace delassus {
namespace {

TEST(VtkColliders, DrawsSpheresAsPointsUnlessSurfacesAreAskedFor) {
  const VtkShape point = vtkShapeOf(SphereShape(0.1));
  EXPECT_EQ(point.radius(), 0.1);
  EXPECT_TRUE(point.points().empty());
  const VtkShape surface = vtkShapeOf(SphereShape(0.1), {.spheresAsPoints = false, .segments = 12});
  EXPECT_EQ(surface.radius(), 0.);
  EXPECT_FALSE(surface.polygons().empty());
  EXPECT_EQ(vtkShapeOf(BoxShape(1., 2., 3.)).polygons().size(), 6u);
}

}  // namespace
}  // namespace delassus
