// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace delassus {

/// Carries a state into a checkpoint and back. An object names its state once, and the same lines save and restore it,
/// so that the two cannot differ:
///
///     void Interaction::serializeState(StateArchive& archive) {
///       archive.value("lambda(1)", lambda_[1]);
///       archive.value("active", active_);
///     }
///
/// Data that follow from the rest (a factorisation, a workspace) are not stored, unless computing them again would not
/// give the same bits. When restoring, an archive throws Error, naming the section, if it holds something other than
/// what is requested.
class StateArchive {
 public:
  virtual ~StateArchive() = default;
  StateArchive(const StateArchive&) = delete;
  StateArchive& operator=(const StateArchive&) = delete;

  /// True while values are restored.
  virtual bool restores() const = 0;

  /// Begins the part of the object `name`: restoring throws Error if the archive has a different one here.
  virtual void section(std::string_view name) = 0;

  /// One value. Restoring throws Error if the archive has another name or kind of value here. Containers get the size
  /// stored in the archive when restored.
  ///@{
  void value(std::string_view name, double& x) { doubles(name, &x, 1); }
  void value(std::string_view name, std::uint64_t& x) { integer(name, x); }
  void value(std::string_view name, std::int64_t& x) { viaInteger(name, x); }
  void value(std::string_view name, int& x) { viaInteger(name, x); }
  void value(std::string_view name, bool& x) { viaInteger(name, x); }
  void value(std::string_view name, std::string& x) { text(name, x); }
  void value(std::string_view name, Vector& x);
  void value(std::string_view name, Matrix& x);
  void value(std::string_view name, std::vector<double>& x);
  void value(std::string_view name, std::vector<std::size_t>& x) { list(name, x); }
  void value(std::string_view name, std::vector<int>& x) { list(name, x); }
  void value(std::string_view name, std::vector<char>& x) { list(name, x); }
  ///@}
  /// An enumeration.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void value(std::string_view name, Enum& x) { viaInteger(name, x); }
  /// A vector whose size the model says: restoring throws Error if the archive has another size.
  void fixedSize(std::string_view name, Vector& x);
  /// `n` doubles in place.
  void values(std::string_view name, double* x, std::size_t n) { doubles(name, x, n); }

  /// Anything whose operators << and >> reproduce its state: a random engine, a distribution.
  template <class T>
  void stream(std::string_view name, T& x) {
    std::ostringstream written;
    written.imbue(std::locale::classic());
    written.precision(std::numeric_limits<double>::max_digits10);
    if (!restores()) written << x;
    std::string digits = written.str();
    text(name, digits);
    if (!restores()) return;
    std::istringstream read(digits);
    read.imbue(std::locale::classic());
    if (!(read >> x)) refuse("what it has for '" + std::string(name) + "' cannot be read back.");
  }

  /// A stamp (see newStamp): what shared a stamp when it was saved shares one when it is restored, which is new in this
  /// process. 0 stays 0.
  void stamp(std::string_view name, std::uint64_t& x);

  /// A count, saved or restored; for lists of objects. Restoring throws Error for more than the rest of the archive has
  /// room for, so that a damaged one does not make a list too large for the memory.
  std::size_t count(std::string_view name, std::size_t n);

  /// Throws Error: the archive does not fit what it is restored into. `what` is a sentence.
  [[noreturn]] virtual void refuse(const std::string& what) const = 0;

 protected:
  StateArchive() = default;

  /// Saves `n` doubles, or restores them in place, to the bit.
  virtual void doubles(std::string_view name, double* x, std::size_t n) = 0;
  /// Saves or restores a whole number; negative ones come as two's complement.
  virtual void integer(std::string_view name, std::uint64_t& x) = 0;
  /// `n` whole numbers; one by one unless overridden.
  virtual void integers(std::string_view name, std::uint64_t* x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) integer(name, x[i]);
  }
  /// Saves or restores a text.
  virtual void text(std::string_view name, std::string& x) = 0;
  /// Bytes that are left to restore.
  virtual std::size_t room() const { return std::numeric_limits<std::size_t>::max(); }

 private:
  template <class T>
  void viaInteger(std::string_view name, T& x) {
    auto number = static_cast<std::uint64_t>(x);
    integer(name, number);
    x = fromInteger<T>(name, number);
  }
  template <class T>
  T fromInteger(std::string_view name, std::uint64_t number) const {
    const T x = static_cast<T>(number);
    if (static_cast<std::uint64_t>(x) != number) refuse("it has no value that '" + std::string(name) + "' can take.");
    return x;
  }
  template <class T>
  void list(std::string_view name, std::vector<T>& x) {
    x.resize(count(name, x.size()));
    std::vector<std::uint64_t> numbers(x.begin(), x.end());
    if (!x.empty()) integers(name, numbers.data(), numbers.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = fromInteger<T>(name, numbers[i]);
  }

  [[noreturn]] void refuseCount(std::string_view name, std::uint64_t n) const;

  std::unordered_map<std::uint64_t, std::uint64_t> stamps_;  // those of the archive, and what they are here
};

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
