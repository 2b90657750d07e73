// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/Vector.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace delassus::numerics {

/// Default limit of readContent(), in bytes.
inline constexpr std::uintmax_t largestContent = 4'000'000'000;

/// The bytes of a file, a pipe or a terminal. Throws Error naming the file if it cannot be read, has more than
/// `largest` bytes (of a regular file found before anything is read), or is a device without an end.
std::string readContent(const std::filesystem::path& path, std::uintmax_t largest = largestContent);

/// Throws Error if the path is a folder; for programs that check this before they compute.
void requireNoFolder(const std::filesystem::path& path);

/// Lets `write` make a file next to `path`, under a unique name, and renames it when it is done: the file under its
/// final name is always complete. Creates the folders of the path. Of a symbolic link, the target is replaced. An
/// existing path that is not a regular file (a device, a pipe) is written to directly. A failed write leaves nothing
/// behind. Throws Error naming the file.
void replaceFile(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& write);

/// The same for content that is in memory.
void writeContent(const std::filesystem::path& path, std::string_view content);

/// Reads words and numbers, separated by any white space, from a text in memory. Malformed input throws an Error that
/// names the text, the line, what was expected and what came. No memory is allocated for a count from the file before
/// require() has found the text long enough to hold that many numbers.
class TextReader {
 public:
  /// `name` (the file's) starts every message. The text must outlive the reader.
  TextReader(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  /// A count or an index: digits only.
  std::size_t count(std::string_view what);
  /// A finite number.
  double number(std::string_view what);
  /// A number that may be inf or -inf.
  double extendedNumber(std::string_view what);
  /// Finite numbers, after require().
  void numbers(std::size_t count, double* values, std::string_view what);
  /// `size` finite numbers; calls require() before memory is allocated.
  Vector vector(std::size_t size, std::string_view what);
  /// The same of numbers that may be inf or -inf.
  Vector extendedVector(std::size_t size, std::string_view what);
  /// The next word as it stands; valid as long as the text.
  std::string_view word(std::string_view what);

  /// Throws unless `count` more numbers can be in the text, each being a digit and a space at least.
  void require(std::size_t count, std::string_view what) const;
  /// rows · columns; throws as require() does, and for a product that overflows.
  std::size_t requireProduct(std::size_t rows, std::size_t columns, std::string_view what) const;

  /// Number of numbers from here to the end, or to the first word that is not a number: what follows the data.
  std::size_t numbersLeft() const;
  /// Bytes before what was read last.
  std::size_t position() const { return wordStart_; }
  /// Bytes of the whole text.
  std::size_t bytes() const { return text_.size(); }

  /// Throws Error at the word that was read last.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string_view nextWord();
  std::size_t line() const;

  std::string_view text_;
  std::string name_;
  std::size_t position_ = 0;
  std::size_t wordStart_ = 0;
};

}  // namespace delassus::numerics
