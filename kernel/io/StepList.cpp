// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/StepList.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <delassus/kernel/io/Hdf5Dataset.hpp>
#include <delassus/numerics/Error.hpp>
#include <string>
#include <system_error>

namespace delassus {
namespace {

using namespace hdf5;

constexpr char format[] = "Delassus list of steps";

std::string nameOf(std::size_t step) {
  std::string digits = std::to_string(step);
  return std::string(std::max<std::size_t>(digits.size(), 6) - digits.size(), '0') + digits;
}

// An invalid handle where there is no file.
Handle openList(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) return {};
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file.valid() && hasAttribute(file.id(), "format") && readText(file.id(), "format", name) == format) return file;
  throw Error("Recording '" + name + "'",
              "there is a file of this name that is no list of recorded steps; take another name, or remove it.");
}

std::vector<std::size_t> stepsOf(const Handle& file, const std::string& name) {
  const std::string failure = "HDF5 cannot read the steps.";
  const Handle group = require(Handle(H5Gopen2(file.id(), "/steps", H5P_DEFAULT), H5Gclose), name, failure);
  H5G_info_t info{};
  require(H5Gget_info(group.id(), &info), name, failure);
  std::vector<std::size_t> steps;
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    std::array<char, 32> text{};
    const ssize_t length =
        H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_NATIVE, k, text.data(), text.size(), H5P_DEFAULT);
    std::size_t step = 0;
    const auto read = std::from_chars(text.data(), text.data() + std::max<ssize_t>(length, 0), step);
    if (length <= 0 || read.ec != std::errc{} || nameOf(step) != text.data()) {
      throw Error(name, std::string("expected the number of a step, got '") + text.data() + "'.");
    }
    steps.push_back(step);
  }
  std::sort(steps.begin(), steps.end());
  return steps;
}

}  // namespace

std::filesystem::path StepList::fileOf(std::size_t step) const {
  return list_.parent_path() / (list_.stem().string() + ".steps") / (nameOf(step) + ".h5");
}

void StepList::requireReplaceable() const {
  const Access access;
  openList(list_);
}

std::vector<std::size_t> StepList::stepsIn(const std::filesystem::path& list) {
  const Access access;
  const Handle file = openList(list);
  return file.valid() ? stepsOf(file, list.string()) : std::vector<std::size_t>{};
}

void StepList::goOnAfter(std::size_t last) {
  steps_ = stepsIn(list_);
  steps_.erase(std::upper_bound(steps_.begin(), steps_.end(), last), steps_.end());
}

void StepList::add(std::size_t step) {
  const auto place = std::lower_bound(steps_.begin(), steps_.end(), step);
  if (place == steps_.end() || *place != step) steps_.insert(place, step);
  const Access access;
  const std::string name = list_.string();
  std::filesystem::path part = list_;
  part += ".part";
  Handle file = require(Handle(H5Fcreate(part.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose), name,
                        "HDF5 cannot create the file '" + part.string() + "'.");
  writeAttribute(file.id(), "format", std::string(format), name);
  const Handle groups = withGroups();
  for (const std::size_t each : steps_) {
    // Relative to the list, so that both can be moved.
    const std::filesystem::path target = fileOf(each).lexically_relative(list_.parent_path());
    const std::string link = "/steps/" + nameOf(each);
    require(H5Lcreate_external(target.c_str(), "/", file.id(), link.c_str(), groups.id(), H5P_DEFAULT), name,
            "HDF5 cannot write '" + link + "'.");
  }
  require(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), name, "HDF5 cannot write the file.");
  file = Handle();
  std::error_code failure;
  std::filesystem::rename(part, list_, failure);
  if (failure) throw Error(name, "cannot be put in its place: " + failure.message() + ".");
}

}  // namespace delassus
