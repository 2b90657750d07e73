// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/archive/archive_exception.hpp>
#include <boost/archive/basic_archive.hpp>
#include <boost/serialization/binary_object.hpp>
#include <cstring>
#include <delassus/kernel/io/CheckpointArchive.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus::detail {
namespace {

// FNV-1a.
std::uint32_t markOf(std::string_view name, char kind) {
  std::uint32_t sum = 2166136261u;
  const auto take = [&sum](char c) { sum = (sum ^ static_cast<unsigned char>(c)) * 16777619u; };
  take(kind);
  for (const char c : name) take(c);
  return sum;
}

// What every archive begins with: a length and as many letters. Boost takes memory for any length that stands there.
std::string signature() {
  const std::string_view letters = boost::archive::BOOST_ARCHIVE_SIGNATURE();
  const std::size_t length = letters.size();
  std::string all(sizeof(length), '\0');
  std::memcpy(all.data(), &length, sizeof(length));
  return all.append(letters);
}

}  // namespace

SavingArchive::SavingArchive() : archive_(*stream_.rdbuf()) {
}

SavingArchive::SavingArchive(std::streambuf& sink) : archive_(sink) {
}

void SavingArchive::mark(std::string_view name, char kind) {
  isEmpty_ = false;
  const std::uint32_t number = markOf(name, kind);
  archive_ << number;
}

void SavingArchive::section(std::string_view name) {
  section_ = name;
  mark("", 's');
  string(section_);
}

void SavingArchive::doubles(std::string_view name, double* x, std::size_t n) {
  mark(name, 'd');
  archive_.save_binary(x, n * sizeof(double));
}

void SavingArchive::integer(std::string_view name, std::uint64_t& x) {
  mark(name, 'i');
  const std::uint64_t number = x;
  archive_ << number;
}

void SavingArchive::integers(std::string_view name, std::uint64_t* x, std::size_t n) {
  mark(name, 'l');
  archive_.save_binary(x, n * sizeof(std::uint64_t));
}

void SavingArchive::text(std::string_view name, std::string& x) {
  mark(name, 't');
  string(x);
}

void SavingArchive::string(const std::string& x) {
  const std::uint64_t length = x.size();
  archive_ << length;
  archive_.save_binary(x.data(), x.size());
}

void SavingArchive::refuse(const std::string& what) const {
  throw Error("Checkpoint", "at " + section_ + ", " + what);
}

RestoringArchive::RestoringArchive(std::string bytes, std::string label)
    : stream_(std::move(bytes)), label_(std::move(label)) {
  if (!stream_.view().starts_with(signature())) refuse("it is damaged, or of another kind of machine.");
  try {
    archive_.emplace(stream_);
  } catch (const boost::archive::archive_exception& error) {
    refuse("it is of another kind of machine, or of another version of Boost.Serialization (" +
           std::string(error.what()) + ").");
  }
}

std::size_t RestoringArchive::room() const {
  return static_cast<std::size_t>(std::max<std::streamsize>(0, stream_.rdbuf()->in_avail()));
}

// Boost's own way would take memory for any length that the archive says.
std::string RestoringArchive::string() {
  std::uint64_t length = 0;
  read([&] { *archive_ >> length; });
  if (length > room()) refuse("it ends within a text.");
  std::string x(static_cast<std::size_t>(length), '\0');
  read([&] { archive_->load_binary(x.data(), x.size()); });
  return x;
}

void RestoringArchive::refuse(const std::string& what) const {
  throw Error(label_, section_.empty() ? what : "at " + section_ + ", " + what);
}

template <class Read>
void RestoringArchive::read(Read&& operation) {
  try {
    operation();
  } catch (const boost::archive::archive_exception& error) {
    refuse("it ends too early or cannot be read (" + std::string(error.what()) + ").");
  }
}

void RestoringArchive::expect(std::string_view name, char kind) {
  std::uint32_t number = 0;
  read([&] { *archive_ >> number; });
  if (number == markOf(name, kind)) return;
  refuse("it has something else where '" + std::string(name) + "' is wanted.");
}

void RestoringArchive::section(std::string_view name) {
  std::uint32_t number = 0;
  std::string found;
  read([&] { *archive_ >> number; });
  if (number == markOf("", 's')) found = string();
  if (found != name) {
    refuse("it goes on with " + (found.empty() ? "other values" : found) + ", where " + std::string(name) +
           " is wanted.");
  }
  section_ = name;
}

void RestoringArchive::doubles(std::string_view name, double* x, std::size_t n) {
  expect(name, 'd');
  read([&] { archive_->load_binary(x, n * sizeof(double)); });
}

void RestoringArchive::integer(std::string_view name, std::uint64_t& x) {
  expect(name, 'i');
  read([&] { *archive_ >> x; });
}

void RestoringArchive::integers(std::string_view name, std::uint64_t* x, std::size_t n) {
  expect(name, 'l');
  read([&] { archive_->load_binary(x, n * sizeof(std::uint64_t)); });
}

void RestoringArchive::text(std::string_view name, std::string& x) {
  expect(name, 't');
  x = string();
}

void RestoringArchive::requireEnd() {
  if (stream_.peek() == std::istringstream::traits_type::eof()) return;
  refuse("it has more than is wanted here.");
}

}  // namespace delassus::detail
