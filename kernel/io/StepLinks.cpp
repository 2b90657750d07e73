// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/StepLinks.hpp>

#include <array>
#include <delassus/kernel/io/Hdf5Dataset.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus::hdf5 {
namespace {

constexpr char listFormat[] = "Delassus list of steps";

Handle openLinks(const std::filesystem::path& path) {
  const std::string name = path.string();
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid() && H5Fis_hdf5(path.c_str()) > 0) {
    throw Error(name, "HDF5 cannot open the list of steps: it is truncated, damaged, or locked." + reason());
  }
  if (file.valid() && hasAttribute(file.id(), "format") && readText(file.id(), "format", name) == listFormat) {
    return file;
  }
  throw Error(name, "there is a file of this name that is no list of recorded steps; take another name, or remove it.");
}

}  // namespace

void writeStepLinks(const std::filesystem::path& path, const std::map<std::string, std::filesystem::path>& files,
                    const std::string& label) {
  const Access access;
  Handle file = require(Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose), label,
                        "HDF5 cannot create the file '" + path.string() + "'.");
  writeAttribute(file.id(), "format", std::string(listFormat), label);
  const Handle group = require(Handle(H5Gcreate2(file.id(), "/steps", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose),
                               label, "HDF5 cannot write '/steps'.");
  for (const auto& [name, target] : files) {
    require(H5Lcreate_external(target.c_str(), "/", group.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), label,
            "HDF5 cannot write '/steps/" + name + "'.");
  }
  require(H5Fflush(file.id(), H5F_SCOPE_GLOBAL), label, "HDF5 cannot write the file.");
}

std::vector<std::string> readStepLinks(const std::filesystem::path& path) {
  const Access access;
  const std::string label = path.string(), failure = "HDF5 cannot read the steps.";
  const Handle file = openLinks(path);
  const Handle group = require(Handle(H5Gopen2(file.id(), "/steps", H5P_DEFAULT), H5Gclose), label, failure);
  H5G_info_t info{};
  require(H5Gget_info(group.id(), &info), label, failure);
  std::vector<std::string> names;
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    std::array<char, 64> name{};  // the end of a longer one is cut off, which makes it no number of a step
    require(
        H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_NATIVE, k, name.data(), name.size(), H5P_DEFAULT) > 0
            ? 0
            : -1,
        label, failure);
    names.emplace_back(name.data());
  }
  return names;
}

}  // namespace delassus::hdf5
