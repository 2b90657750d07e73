// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/relations/SecondOrderR.hpp>

namespace delassus {

void SecondOrderR::computeDrift(double, const Vector&, Vector&) {
}

void SecondOrderR::computeCompliance(double, const Vector&, const Vector&, Matrix&) {
}

void SecondOrderR::checkDimensions(std::size_t, std::size_t) const {
}

void SecondOrderR::checkJacobians(double, const Vector&, double, const std::string&) {
}

}  // namespace delassus
