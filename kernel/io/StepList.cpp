// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/StepList.hpp>

#include <algorithm>
#include <charconv>
#include <delassus/kernel/io/StepLinks.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <map>
#include <string>
#include <system_error>

namespace delassus {
namespace {

std::string nameOf(std::size_t step) {
  const std::string digits = std::to_string(step);
  return std::string(std::max<std::size_t>(digits.size(), 6) - digits.size(), '0') + digits;
}

}  // namespace

std::set<std::size_t> StepList::stepsIn(const std::filesystem::path& list) {
  std::error_code failure;
  std::set<std::size_t> steps;
  if (!std::filesystem::exists(list, failure)) return steps;
  for (const std::string& name : hdf5::readStepLinks(list)) {
    std::size_t step = 0;
    std::from_chars(name.data(), name.data() + name.size(), step);
    if (nameOf(step) != name) throw Error(list.string(), "expected the number of a step, got '" + name + "'.");
    steps.insert(step);
  }
  return steps;
}

std::filesystem::path StepList::folder() const {
  std::filesystem::path folder = list_;
  return folder += ".steps";
}

std::filesystem::path StepList::fileOf(std::size_t step) const {
  return folder() / (nameOf(step) + ".h5");
}

// Links are relative to where the list is, which that of a symbolic link is not.
void StepList::requirePlainName() const {
  if (list_.filename().empty()) throw Error(list_.string(), "the file to record in has no name.");
  if (std::filesystem::is_symlink(list_)) {
    throw Error(list_.string(), "the file to record in is a symbolic link; give the file that it leads to.");
  }
}

void StepList::begin() {
  requirePlainName();
  stepsIn(list_);
  if (!std::filesystem::exists(list_) && std::filesystem::exists(folder()) && !std::filesystem::is_empty(folder())) {
    throw Error(list_.string(), "there is no list, but a folder '" + folder().string() +
                                    "' with steps of another recording; take another name, or move it.");
  }
  steps_.clear();
  write();
}

void StepList::goOnAfter(std::size_t last) {
  requirePlainName();
  std::set<std::size_t> kept = stepsIn(list_);
  kept.erase(kept.upper_bound(last), kept.end());
  for (const std::size_t step : kept) {
    if (std::filesystem::exists(fileOf(step))) continue;
    throw Error(list_.string(), "step " + std::to_string(step) + " is listed, but '" + fileOf(step).string() +
                                    "' is missing: the list and its folder go together.");
  }
  steps_ = std::move(kept);
  write();
}

void StepList::add(std::size_t step) {
  steps_.insert(step);
  write();
}

void StepList::write() const {
  std::map<std::string, std::filesystem::path> files;
  for (const std::size_t step : steps_) files[nameOf(step)] = folder().filename() / fileOf(step).filename();
  numerics::replaceFile(list_,
                        [&](const std::filesystem::path& part) { hdf5::writeStepLinks(part, files, list_.string()); });
}

}  // namespace delassus
