// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

class SquareMatrix;

/// A parameter or an option as text, e.g. { "theta", "0.5" }.
struct Setting {
  std::string name;   ///< of the parameter; within parts "part.name"
  std::string value;  ///< as Settings::add writes it

  /// The same name and value.
  bool operator==(const Setting&) const = default;
};

/// The parameters of an object, in a fixed order: recordings and checkpoints store them, summaries print them. Numbers
/// have the shortest digits that read back to the same double, so equal texts mean equal numbers.
class Settings {
 public:
  /// Appends a number, a word, or "true" or "false". A name that exists already is added a second time.
  ///@{
  void add(std::string name, double value) { list_.push_back({std::move(name), toText(value)}); }
  void add(std::string name, std::string_view value) { list_.push_back({std::move(name), std::string(value)}); }
  void add(std::string name, const char* value) { add(std::move(name), std::string_view(value)); }
  void add(std::string name, bool value) { add(std::move(name), value ? "true" : "false"); }
  template <std::integral Integer>
  void add(std::string name, Integer value) {
    list_.push_back({std::move(name), std::to_string(value)});
  }
  ///@}
  /// "(1, 2, 3)"; of more than 16 numbers their count and a checksum of their bits.
  ///@{
  void add(std::string name, const Vector& value);
  void add(std::string name, std::span<const double> values);
  ///@}
  /// "(1, 2; 3, 4)", row by row; of more than 16 numbers their count and a checksum of their bits.
  void add(std::string name, const Matrix& value);
  /// The same of a dense one; of a sparse one its entries, as "name.entries".
  void add(const std::string& name, const SquareMatrix& value);
  /// All of `part`, with names "prefix.name".
  void add(const std::string& prefix, const Settings& part) {
    for (const Setting& setting : part.list_) list_.push_back({prefix + '.' + setting.name, setting.value});
  }

  /// In the order in which they were added.
  const std::vector<Setting>& list() const { return list_; }
  /// The same settings in the same order.
  bool operator==(const Settings&) const = default;

 private:
  std::vector<Setting> list_;
};

}  // namespace delassus
