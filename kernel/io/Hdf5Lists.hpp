// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/io/Hdf5.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// The datasets of a recording that are no quantities: numbers that are written over, and lists of words. Not for public
// headers.
namespace delassus::hdf5 {

/// A dataset of one whole number, 0 at first.
class NumberDataset {
 public:
  NumberDataset() = default;
  NumberDataset(hid_t file, const char* path, const char* description, std::string fileName);

  /// Has the number in the file. Throws Error if that fails.
  void set(std::int64_t number);

 private:
  std::string fileName_;
  numerics::hdf5::Handle dataset_;
};

/// The words that quantities of kind 'name' stand for, each once; the list grows.
class NameDataset {
 public:
  NameDataset() = default;
  NameDataset(hid_t file, std::string fileName);

  /// That of a word; a new one is added. Words that are longer than there is room are cut.
  std::size_t number(std::string_view name);
  std::size_t size() const { return names_.size(); }

  /// Has all words in the file. Throws Error if that fails.
  void commit();

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::string fileName_;
  numerics::hdf5::Handle dataset_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> numbers_;
  std::size_t written_ = 0;
};

/// Writes a list of texts that does not change.
void writeStrings(hid_t file, const char* path, const std::vector<std::string>& texts, const std::string& description,
                  const std::string& fileName);

}  // namespace delassus::hdf5
