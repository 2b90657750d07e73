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
/// Commas are its business; that keys and values come in a sensible order is the caller's. Numbers have the shortest
/// digits that read back to the same double; infinite ones and NaN, which JSON does not know, become null. Bytes of
/// strings that are not UTF-8 become U+FFFD.
class JsonWriter {
 public:
  void beginObject();
  void endObject();
  /// `onLines`: each element starts a line.
  void beginArray(bool onLines = false);
  void endArray();

  void key(std::string_view name);
  void string(std::string_view value);
  void number(double value);
  void count(std::size_t value);
  void null();
  void numbers(const Vector& values);

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
