// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace delassus::numerics {

/// Builds a JSON text (RFC 8259) piece by piece:
///
///     JsonWriter json;
///     json.beginObject();
///     json.key("z");
///     json.numbers(z);
///     json.endObject();
///
/// It writes the commas; the caller must write keys and values in a sensible order. Numbers have the shortest digits
/// that read back to the same double; infinite ones and NaN, which JSON does not know, become null. Bytes of strings
/// that are not UTF-8 become U+FFFD.
class JsonWriter {
 public:
  /// The braces of an object, as a value of the enclosing object or array; between them key and value in turn.
  ///@{
  void beginObject();
  void endObject();
  ///@}
  /// The brackets of an array, as a value of the enclosing object or array. `onLines`: each element starts a line.
  ///@{
  void beginArray(bool onLines = false);
  void endArray();
  ///@}

  /// The name of the value that comes next in an object.
  void key(std::string_view name);
  /// One value: what belongs to the last key, an element of an array, or the whole text.
  ///@{
  void string(std::string_view value);
  void number(double value);
  void count(std::size_t value);
  void null();
  ///@}
  /// An array of numbers on one line.
  void numbers(const Vector& values);

  /// The text so far: JSON once all objects and arrays are ended.
  const std::string& text() const { return text_; }

 private:
  struct Level {
    bool empty = true;
    bool onLines = false;
  };

  void startValue();
  void endLevel(char bracket);
  void appendString(std::string_view value);

  std::string text_;
  std::vector<Level> levels_;
  bool afterKey_ = false;
};

}  // namespace delassus::numerics
