// SPDX-License-Identifier: Apache-2.0
//
// Replaces Hdf5Sink.cpp, RecordReader.cpp and StepLinks.cpp in a build without HDF5.
#include <delassus/kernel/io/RecordReader.hpp>
#include <delassus/kernel/io/RecordSink.hpp>
#include <delassus/kernel/io/StepLinks.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {

std::unique_ptr<RecordSink> makeHdf5Sink(std::filesystem::path path, const RecordFileOptions&) {
  throw Error("Recorder",
              "cannot record in '" + path.string() +
                  "': Delassus was built without HDF5. Take CsvRecorder, or build with DELASSUS_WITH_HDF5.");
}

struct RecordReader::File {};

RecordReader::RecordReader(const std::filesystem::path& path) {
  throw Error("RecordReader", "cannot read '" + path.string() +
                                  "': Delassus was built without HDF5. Build it with DELASSUS_WITH_HDF5.");
}
RecordReader::~RecordReader() = default;

void hdf5::writeStepLinks(const std::filesystem::path&, const std::map<std::string, std::filesystem::path>&,
                          const std::string& label) {
  throw Error(label, "Delassus was built without HDF5. Build it with DELASSUS_WITH_HDF5.");
}
std::vector<std::string> hdf5::readStepLinks(const std::filesystem::path& path) {
  throw Error(path.string(), "Delassus was built without HDF5. Build it with DELASSUS_WITH_HDF5.");
}

// No reader can exist, so these are never called.
namespace {

[[noreturn]] void absent() {
  throw Error("RecordReader", "Delassus was built without HDF5.");
}

}  // namespace

void RecordReader::refresh() {
  absent();
}
std::size_t RecordReader::rows() const {
  absent();
}
RecordStatus RecordReader::status() const {
  absent();
}
std::string RecordReader::library() const {
  absent();
}
std::string RecordReader::created() const {
  absent();
}
std::string RecordReader::simulation() const {
  absent();
}
std::string RecordReader::model() const {
  absent();
}
Settings RecordReader::settings() const {
  absent();
}
Settings RecordReader::options() const {
  absent();
}
const std::vector<RecordQuantity>& RecordReader::quantities() const {
  absent();
}
bool RecordReader::has(const std::string&) const {
  absent();
}
const RecordQuantity& RecordReader::quantity(const std::string&) const {
  absent();
}
Matrix RecordReader::matrix(const std::string&, std::size_t, std::size_t) const {
  absent();
}
Vector RecordReader::column(const std::string&, std::size_t) const {
  absent();
}
std::vector<std::string> RecordReader::words(const std::string&) const {
  absent();
}
std::size_t RecordReader::length(const std::string&) const {
  absent();
}
RecordReader::Range RecordReader::range(const std::string&, std::size_t) const {
  absent();
}

}  // namespace delassus
