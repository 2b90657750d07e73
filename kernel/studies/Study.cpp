// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/studies/Study.hpp>

#include <cerrno>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <fstream>
#include <sstream>
#include <utility>

namespace delassus {
namespace fs = std::filesystem;
namespace {

std::string contentOf(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Writes a file under a temporary name and renames it when it is complete.
void replaceFile(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  const fs::path part = path.string() + ".part";
  try {
    std::ofstream out(part, std::ios::binary);
    write(out);
    out.close();
    if (!out) throw Error("Study", "cannot write '" + part.string() + "': " + std::strerror(errno) + ".");
    fs::rename(part, path);
  } catch (...) {
    std::error_code ignored;
    fs::remove(part, ignored);
    throw;
  }
}

// The first line of `mine` that `theirs` does not have in its place.
std::string firstDifference(const std::string& mine, const std::string& theirs) {
  std::istringstream first(mine), second(theirs);
  std::string line, other;
  while (std::getline(first, line)) {
    other.clear();
    std::getline(second, other);
    if (line != other) return "'" + line + "' is asked for, but there '" + other + "'";
  }
  return "its parameters go on after those asked for";
}

}  // namespace

Study::Study(fs::path folder, std::string parameter, const std::string& description, Workers& workers)
    : folder_(std::move(folder)), parameter_(std::move(parameter)), workers_(workers) {
  workers_.onFirst([&] {
    std::error_code failure;
    fs::create_directories(folder_, failure);
    if (failure)
      throw Error("Study", "cannot create the folder '" + folder_.string() + "': " + failure.message() + ".");
    const fs::path path = folder_ / "parameters.txt";
    if (!fs::exists(path)) {
      replaceFile(path, [&](std::ostream& out) { out << description; });
    } else if (const std::string there = contentOf(path); there != description) {
      throw Error("Study", "the folder '" + folder_.string() + "' holds runs of other parameters: " +
                               firstDifference(description, there) + ". Give another folder, or remove it.");
    }
  });
}

fs::path Study::folderOf(double point) const {
  return folder_ / (parameter_ + "_" + toText(point));
}

// As the first process sees it: files may appear on other machines a little later.
std::vector<double> Study::missing(const std::vector<double>& points) const {
  std::vector<std::size_t> numbers;
  workers_.onFirst([&] {
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (!fs::exists(folderOf(points[k]))) numbers.push_back(k);
    }
  });
  workers_.share(numbers);
  std::vector<double> rest;
  rest.reserve(numbers.size());
  for (const std::size_t k : numbers) rest.push_back(points[k]);
  return rest;
}

void Study::run(const std::vector<double>& points, const Work& work,
                const std::function<void(std::size_t)>& afterPoint) const {
  const std::vector<double> rest = missing(points);
  const auto task = [&](std::size_t k) {
    try {
      const fs::path folder = folderOf(rest[k]);
      const fs::path part = folder.string() + ".part";
      fs::remove_all(part);
      fs::create_directories(part);
      work(rest[k], part);
      fs::rename(part, folder);
    } catch (const std::exception& error) {
      throw Error("Study at " + parameter_ + " = " + toText(rest[k]), error.what());
    }
  };
  workers_.run(rest.size(), task, afterPoint);
}

void Study::collect(const std::vector<double>& points, const std::string& table, const std::string& column) const {
  workers_.onFirst([&] { writeTable(points, table, column.empty() ? parameter_ : column); });
}

void Study::writeTable(const std::vector<double>& points, const std::string& table, const std::string& column) const {
  replaceFile(folder_ / table, [&](std::ostream& out) {
    bool first = true;
    for (const double point : points) {
      const fs::path path = folderOf(point) / table;
      std::ifstream in(path);
      std::string line;
      if (!std::getline(in, line)) throw Error("Study", "cannot read '" + path.string() + "'.");
      if (std::exchange(first, false)) out << column << ',' << line << '\n';
      while (std::getline(in, line)) out << toText(point) << ',' << line << '\n';
    }
  });
}

}  // namespace delassus
