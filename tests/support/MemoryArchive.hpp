// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus::test {

/// An archive in memory: saves into bytes, or restores from them. Names are kept beside all values, and must be the
/// same when they are given back.
class MemoryArchive final : public StateArchive {
 public:
  using Bytes = std::vector<char>;

  /// Saves.
  MemoryArchive() : restores_(false) {}
  /// Saves everything except values of these names.
  explicit MemoryArchive(std::set<std::string, std::less<>> leftOut) : restores_(false), leftOut_(std::move(leftOut)) {}
  /// Restores.
  explicit MemoryArchive(Bytes bytes) : restores_(true), bytes_(std::move(bytes)) {}

  const Bytes& bytes() const { return bytes_; }
  /// All that was saved is given back.
  bool isAtEnd() const { return place_ == bytes_.size(); }

  bool restores() const override { return restores_; }
  void section(std::string_view name) override { label("section " + std::string(name)); }
  [[noreturn]] void refuse(const std::string& what) const override { throw Error("MemoryArchive", what); }

 protected:
  void doubles(std::string_view name, double* x, std::size_t n) override {
    label(std::string(name) + " of " + std::to_string(n));
    move(reinterpret_cast<char*>(x), n * sizeof(double));
  }
  void integer(std::string_view name, std::uint64_t& x) override {
    if (leftOut_.contains(name)) return;
    label(name);
    move(reinterpret_cast<char*>(&x), sizeof x);
  }
  void text(std::string_view name, std::string& x) override {
    label(name);
    string(x);
  }

 private:
  void label(std::string_view name) {
    std::string found(name);
    string(found);
    if (found != name) refuse("Asked for '" + std::string(name) + "', but there is '" + found + "'.");
  }
  void string(std::string& x) {
    std::uint64_t size = x.size();
    move(reinterpret_cast<char*>(&size), sizeof size);
    if (restores_ && size > bytes_.size()) refuse("A text of " + std::to_string(size) + " characters does not fit.");
    x.resize(size);
    move(x.data(), x.size());
  }
  void move(char* x, std::size_t n) {
    if (!restores_) {
      bytes_.insert(bytes_.end(), x, x + n);
      return;
    }
    if (bytes_.size() - place_ < n) refuse("It ends too early.");
    std::memcpy(x, bytes_.data() + place_, n);
    place_ += n;
  }

  bool restores_;
  std::set<std::string, std::less<>> leftOut_;
  Bytes bytes_;
  std::size_t place_ = 0;
};

}  // namespace delassus::test
