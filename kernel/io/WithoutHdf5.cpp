// SPDX-License-Identifier: Apache-2.0
//
// In the place of Hdf5Sink.cpp and RecordReader.cpp where the library is built without HDF5.
#include <delassus/kernel/io/RecordReader.hpp>
#include <delassus/kernel/io/RecordSink.hpp>
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

}  // namespace delassus
