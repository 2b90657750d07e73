// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/Vector.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <iomanip>
#include <ostream>

namespace delassus {

Vector makeVector(std::initializer_list<double> components) {
  return Vector(components);
}

std::ostream& operator<<(std::ostream& out, const Vector& v) {
  const std::streamsize width = out.width(0);
  out << '(';
  for (std::size_t i = 0; i < v.size(); ++i) out << (i > 0 ? ", " : "") << std::setw(static_cast<int>(width)) << v(i);
  return out << ')';
}

void detail::resize(Vector& v, std::size_t size) {
  v.resize(size, false);
}

void detail::failIndex(std::size_t i, std::size_t size) {
  throw Error("Vector", "index " + std::to_string(i) + " is out of range: there are " + std::to_string(size) +
                            " components, numbered from 0 on.");
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

void append(std::span<const double> part, Vector& all) {
  const std::size_t offset = all.size();
  all.resize(offset + part.size(), true);
  std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(offset));
}

}  // namespace delassus
