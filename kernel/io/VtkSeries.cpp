// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/VtkSeries.hpp>

#include <array>
#include <cstdio>
#include <delassus/numerics/Error.hpp>
#include <system_error>
#include <utility>

namespace delassus {
namespace {

constexpr std::size_t unlistedPart = 1000;  // fraction of the list's length that may be missing

std::string frameFile(const std::string& name, std::size_t number) {
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%06zu", number);
  return "frames/" + name + '_' + digits.data() + ".vtp";
}

}  // namespace

VtkSeries::VtkSeries(std::filesystem::path folder, std::string name)
    : folder_(std::move(folder)), name_(std::move(name)) {
}

void VtkSeries::write(double time, const VtkPolyData& frame) {
  const std::filesystem::path frames = folder_ / "frames";
  std::error_code failure;
  std::filesystem::create_directories(frames, failure);
  if (failure) {
    throw Error("VtkWriter", "cannot create the folder '" + frames.string() + "': " + failure.message() + ".");
  }
  frame.write(folder_ / frameFile(name_, times_.size()));
  times_.push_back(time);
  if (listed_ > times_.size() || times_.size() > listed_ + listed_ / unlistedPart) writeList();
}

void VtkSeries::writeList() {
  if (listed_ == times_.size()) return;
  const std::filesystem::path path = folder_ / (name_ + ".pvd");
  // After a restore the contents of the list are unknown; a series without frames needs none.
  if (times_.empty() && !std::filesystem::exists(path)) return;
  std::string list =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (std::size_t k = 0; k < times_.size(); ++k) {
    list += "<DataSet timestep=\"" + toText(times_[k]) + "\" group=\"\" part=\"0\" file=\"" + frameFile(name_, k) +
            "\"/>\n";
  }
  writeWhole(path, list + "</Collection>\n</VTKFile>\n");
  listed_ = times_.size();
}

void VtkSeries::serializeState(StateArchive& archive) {
  if (!archive.restores()) writeList();
  archive.value("times", times_);
  if (archive.restores()) listed_ = static_cast<std::size_t>(-1);
}

}  // namespace delassus
