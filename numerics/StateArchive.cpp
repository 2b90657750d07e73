// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/StateArchive.hpp>

#include <cstdlib>
#include <delassus/numerics/algebra/MadeFrom.hpp>

namespace delassus {

std::size_t StateArchive::count(std::string_view name, std::size_t n) {
  std::uint64_t number = n;
  integer(name, number);
  if (number > room()) refuseCount(name, number);
  return static_cast<std::size_t>(number);
}

void StateArchive::refuseCount(std::string_view name, std::uint64_t n) const {
  refuse("it says that '" + std::string(name) + "' has " + std::to_string(n) +
         " entries, which are more than it has room for.");
  std::abort();  // GCC does not see of a virtual function that it never returns
}

void StateArchive::stamp(std::string_view name, std::uint64_t& x) {
  if (!restores()) {
    // Numbered in the order of their appearance, so that equal states have equal archives.
    std::uint64_t number = x == 0 ? 0 : stamps_.try_emplace(x, stamps_.size() + 1).first->second;
    return integer(name, number);
  }
  integer(name, x);
  if (x == 0) return;
  std::uint64_t& here = stamps_[x];
  if (here == 0) here = newStamp();
  x = here;
}

void StateArchive::value(std::string_view name, Vector& x) {
  const std::size_t n = count(name, x.size());
  if (n != x.size()) x.resize(n, false);
  if (n > 0) doubles(name, data(x), n);
}

void StateArchive::fixedSize(std::string_view name, Vector& x) {
  const std::size_t n = count(name, x.size());
  if (n != x.size()) {
    refuse("it has " + std::to_string(n) + " entries of '" + std::string(name) + "' instead of " +
           std::to_string(x.size()) + ".");
  }
  if (n > 0) doubles(name, data(x), n);
}

void StateArchive::value(std::string_view name, Matrix& x) {
  std::uint64_t rows = x.size1();
  std::uint64_t columns = x.size2();
  integer(name, rows);
  integer(name, columns);
  if (columns > 0 && rows > room() / columns) refuseCount(name, rows);
  if (rows != x.size1() || columns != x.size2()) x.resize(rows, columns, false);
  if (rows * columns > 0) doubles(name, data(x), rows * columns);
}

void StateArchive::value(std::string_view name, std::vector<double>& x) {
  x.resize(count(name, x.size()));
  if (!x.empty()) doubles(name, x.data(), x.size());
}

}  // namespace delassus
