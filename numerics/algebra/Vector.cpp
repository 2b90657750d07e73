// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/Vector.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus {

Vector makeVector(std::initializer_list<double> components) {
  Vector v(components.size());
  std::copy(components.begin(), components.end(), v.begin());
  return v;
}

void detail::failSize(const Vector& v, std::size_t size, std::string_view what) {
  throw Error(std::string(what),
              "expected a vector of size " + std::to_string(size) + ", got size " + std::to_string(v.size()) + ".");
}

void detail::failFinite(const Vector& v, std::string_view what) {
  const auto& components = v.data();
  const auto bad = std::find_if_not(components.begin(), components.end(), [](double x) { return std::isfinite(x); });
  throw Error(std::string(what), "expected finite numbers, but component " + std::to_string(bad - components.begin()) +
                                     " is " + toText(*bad) + ".");
}

void append(const Vector& part, Vector& all) {
  const std::size_t offset = all.size();
  all.resize(offset + part.size(), true);
  std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(offset));
}

}  // namespace delassus
