// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/Plugin.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace {

void externalForces(double t, delassus::Vector& f) {
  f(0) = 2. * t;
}

int count() noexcept {
  static int calls = 0;
  return ++calls;
}

void failing(double, const delassus::Matrix&) {
  throw delassus::Error("TestPlugin", "it failed.");
}

}  // namespace

DELASSUS_PLUGIN_FUNCTION(externalForces)
DELASSUS_PLUGIN_FUNCTION(count)
DELASSUS_PLUGIN_FUNCTION(failing)

extern "C" DELASSUS_PLUGIN_EXPORT double plain(double x) {
  return 2. * x;
}
