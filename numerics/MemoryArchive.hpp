// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

/// A state in memory, to which an object can go back:
///
///     MemoryArchive before;
///     simulation.serializeState(before);
///     ...
///     MemoryArchive back(before.bytes());
///     simulation.serializeState(back);
///
/// Names are kept beside all values, and must be the same when they are restored. For the same process: checkpoints are
/// for files.
class MemoryArchive : public StateArchive {
 public:
  /// What was saved.
  using Bytes = std::vector<char>;

  /// Saves.
  MemoryArchive() = default;
  /// Restores.
  explicit MemoryArchive(Bytes bytes) : restores_(true), bytes_(std::move(bytes)) {}

  /// The state that was saved.
  const Bytes& bytes() const { return bytes_; }
  /// True if all that was saved is restored.
  bool isAtEnd() const { return place_ == bytes_.size(); }

  bool restores() const override { return restores_; }
  void section(std::string_view name) override { label(name, 's'); }
  [[noreturn]] void refuse(const std::string& what) const override { throw Error("MemoryArchive", what); }

 protected:
  void doubles(std::string_view name, double* x, std::size_t n) override {
    label(name, 'd');
    move(x, n * sizeof(double));
  }
  void integer(std::string_view name, std::uint64_t& x) override {
    label(name, 'i');
    move(&x, sizeof x);
  }
  void text(std::string_view name, std::string& x) override {
    label(name, 't');
    string(x);
  }
  std::size_t room() const override { return restores_ ? bytes_.size() - place_ : StateArchive::room(); }

 private:
  void label(std::string_view name, char kind) {
    std::string found(1, kind);
    found += name;
    const std::string wanted = found;
    string(found);
    if (found != wanted) refuse("Asked for '" + std::string(name) + "', but there is '" + found.substr(1) + "'.");
  }
  void string(std::string& x) {
    std::uint64_t size = x.size();
    move(&size, sizeof size);
    if (restores_ && size > room()) refuse("A text of " + std::to_string(size) + " characters does not fit.");
    x.resize(size);
    move(x.data(), x.size());
  }
  void move(void* x, std::size_t n) {
    if (!restores_) {
      const char* const from = static_cast<const char*>(x);
      bytes_.insert(bytes_.end(), from, from + n);
      return;
    }
    if (room() < n) refuse("It ends too early.");
    if (n > 0) std::memcpy(x, bytes_.data() + place_, n);
    place_ += n;
  }

  bool restores_ = false;
  Bytes bytes_;
  std::size_t place_ = 0;
};

}  // namespace delassus
