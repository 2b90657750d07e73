// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <optional>
#include <sstream>
#include <streambuf>
#include <string>
#include <utility>

namespace delassus::detail {

/// StateArchives on the binary archives of Boost.Serialization, in memory. A number derived from its name and kind
/// precedes each value, so that values are read as they were written.
class SavingArchive final : public StateArchive {
 public:
  /// Into memory, for bytes().
  SavingArchive();
  /// Into `sink`, which must outlive it.
  explicit SavingArchive(std::streambuf& sink);

  bool restores() const override { return false; }
  void section(std::string_view name) override;
  [[noreturn]] void refuse(const std::string& what) const override;

  bool isEmpty() const { return isEmpty_; }
  /// The bytes written, of which the archive keeps none.
  std::string bytes() && { return std::move(stream_).str(); }

 private:
  void doubles(std::string_view name, double* x, std::size_t n) override;
  void integer(std::string_view name, std::uint64_t& x) override;
  void integers(std::string_view name, std::uint64_t* x, std::size_t n) override;
  void text(std::string_view name, std::string& x) override;
  void mark(std::string_view name, char kind);
  void string(const std::string& x);

  std::ostringstream stream_;
  boost::archive::binary_oarchive archive_;
  std::string section_;
  bool isEmpty_ = true;
};

class RestoringArchive final : public StateArchive {
 public:
  /// Reads the result of SavingArchive::bytes. Throws Error, beginning with `label`, if something else is requested.
  RestoringArchive(std::string bytes, std::string label);

  bool restores() const override { return true; }
  void section(std::string_view name) override;
  [[noreturn]] void refuse(const std::string& what) const override;

  /// Throws Error unless everything was read.
  void requireEnd();

 private:
  void doubles(std::string_view name, double* x, std::size_t n) override;
  void integer(std::string_view name, std::uint64_t& x) override;
  void integers(std::string_view name, std::uint64_t* x, std::size_t n) override;
  void text(std::string_view name, std::string& x) override;
  std::size_t room() const override;
  std::string string();
  void expect(std::string_view name, char kind);
  template <class Read>
  void read(Read&& operation);

  std::istringstream stream_;
  std::string label_;
  std::optional<boost::archive::binary_iarchive> archive_;
  std::string section_;
};

}  // namespace delassus::detail
