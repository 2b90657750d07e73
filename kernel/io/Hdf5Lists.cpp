// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/Hdf5Lists.hpp>

#include <algorithm>
#include <delassus/kernel/io/Hdf5File.hpp>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus::hdf5 {
namespace {

// Texts in sequence, each padded with zeros.
std::vector<char> filledUp(const std::vector<std::string>& texts, std::size_t first, std::size_t bytes) {
  std::vector<char> content(std::max<std::size_t>(texts.size() - first, 1) * bytes, '\0');
  for (std::size_t k = first; k < texts.size(); ++k) {
    std::copy(texts[k].begin(), texts[k].end(), content.begin() + static_cast<std::ptrdiff_t>((k - first) * bytes));
  }
  return content;
}

}  // namespace

NumberDataset::NumberDataset(hid_t file, const char* path, const char* description, std::string fileName)
    : fileName_(std::move(fileName)) {
  const hsize_t one = 1;
  const Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose);
  dataset_ = require(
      Handle(H5Dcreate2(file, path, H5T_NATIVE_INT64, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose),
      fileName_, std::string("HDF5 cannot make '") + path + "'.");
  writeAttribute(dataset_.id(), "description", std::string(description), fileName_);
  set(0);
}

void NumberDataset::set(std::int64_t number) {
  if (H5Dwrite(dataset_.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number) < 0 ||
      H5Dflush(dataset_.id()) < 0) {
    throw Error(fileName_, "HDF5 cannot write to the file." + reason());
  }
}

NameDataset::NameDataset(hid_t file, std::string fileName) : fileName_(std::move(fileName)) {
  const hsize_t size = 0, most = H5S_UNLIMITED, chunk = 256;
  const Handle space(H5Screate_simple(1, &size, &most), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(properties.id(), 1, &chunk);
  const Handle type = fixedText(nameBytes);
  dataset_ = require(
      Handle(H5Dcreate2(file, "names", type.id(), space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Dclose),
      fileName_, "HDF5 cannot make 'names'.");
  writeAttribute(dataset_.id(), "description", std::string("words that quantities of kind 'name' stand for"),
                 fileName_);
}

std::size_t NameDataset::number(std::string_view name) {
  name = name.substr(0, nameBytes);
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  names_.emplace_back(name);
  numbers_.emplace(std::string(name), names_.size() - 1);
  return names_.size() - 1;
}

void NameDataset::commit() {
  if (written_ == names_.size()) return;
  const hsize_t start = written_, count = names_.size() - written_, size = names_.size();
  const std::vector<char> text = filledUp(names_, written_, nameBytes);
  const std::string what = "HDF5 cannot write to the file.";
  require(H5Dset_extent(dataset_.id(), &size), fileName_, what);
  const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle space(H5Dget_space(dataset_.id()), H5Sclose);
  H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  require(H5Dwrite(dataset_.id(), fixedText(nameBytes).id(), memory.id(), space.id(), H5P_DEFAULT, text.data()),
          fileName_, what);
  require(H5Dflush(dataset_.id()), fileName_, what);
  written_ = names_.size();
}

void writeStrings(hid_t file, const char* path, const std::vector<std::string>& texts, const std::string& description,
                  const std::string& fileName) {
  std::size_t bytes = 1;
  for (const std::string& text : texts) bytes = std::max(bytes, text.size());
  const hsize_t size = texts.size();
  const Handle type = fixedText(bytes);
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const std::string what = std::string("HDF5 cannot write '") + path + "'.";
  const Handle dataset =
      require(Handle(H5Dcreate2(file, path, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose),
              fileName, what);
  if (size > 0) {
    require(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, filledUp(texts, 0, bytes).data()),
            fileName, what);
  }
  writeAttribute(dataset.id(), "description", description, fileName);
}

}  // namespace delassus::hdf5
