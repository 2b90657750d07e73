// SPDX-License-Identifier: Apache-2.0
//
// What is no recording, or a damaged one, is refused by name.
#include <gtest/gtest.h>

#include <delassus/kernel/io/Hdf5File.hpp>
#include <delassus/kernel/io/RecordReader.hpp>
#include <delassus/numerics/Error.hpp>
#include <functional>
#include <initializer_list>
#include <support/Matchers.hpp>

#include "RecorderFixture.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

using RecordReaderTest = RecorderFixture;

TEST_F(RecordReaderTest, IsRefusedWhereItIsForeignOrTruncated) {
  {
    BallRun run;
    const auto recorder = std::make_shared<Recorder>(file());
    recorder->record("ball");
    run.simulation.addObserver(recorder);
    run.simulation.run();
  }
  const std::string bytes = content(file());
  expectError([&] { RecordReader(file("none.h5")); }, {"none.h5", "no such file"});
  std::ofstream(file("text.h5")) << "this is a text of some length";
  expectError([&] { RecordReader(file("text.h5")); }, {"text.h5", "expected a recording"});
  for (const std::size_t part : {4UL, 40UL, bytes.size() / 4, bytes.size() / 2, bytes.size() - 1}) {
    std::ofstream(file("part.h5"), std::ios::binary) << bytes.substr(0, part);
    expectError([&] { RecordReader(file("part.h5")); }, {"part.h5"});
  }
  const RecordReader reader(file());
  expectError([&] { reader.column("systems/bal/q"); }, {"no 'systems/bal/q'", "'systems/ball/q'"});
  expectError([&] { reader.column("systems/ball/q", 1); }, {"has 1 columns"});
  expectError([&] { reader.matrix("time", 200, 2); }, {"rows 200 to 202", "201"});
  expectError([&] { reader.words("time"); }, {"no words"});
}

TEST_F(RecordReaderTest, IsRefusedWhereTheFileWasCutOffWhileItWasWritten) {
  BallRun run;
  const auto recorder = std::make_shared<Recorder>(file("killed.h5"));
  recorder->record("ball");
  run.simulation.addObserver(recorder);
  for (int k = 0; k < 100; ++k) run.simulation.step();
  recorder->flush();
  // Damaged, it is refused, not waited for.
  std::string bytes = content(file("killed.h5"));
  bytes[12] ^= 1;
  std::ofstream(file(), std::ios::binary) << bytes;
  expectError([&] { RecordReader{file()}; }, {"run.h5", "HDF5 cannot open"});
}

TEST_F(RecordReaderTest, DoesNotTakeFunctionsOfAUserForATable) {
  BallRun run;
  const auto recorder = std::make_shared<Recorder>(file());
  for (const char* const name : {"first", "count", "third"}) recorder->record(name, "", [] { return 1.5; });
  run.simulation.addObserver(recorder);
  run.simulation.run();
  const RecordReader reader(file());
  EXPECT_EQ(reader.length("user/third"), 201U);
  EXPECT_EQ(reader.column("user/third")(200), 1.5);
}

// A whole recording with contacts; what is done to it with HDF5 itself is to be found, and named.
class DamagedRecordingTest : public RecorderFixture {
 protected:
  void SetUp() override {
    RecorderFixture::SetUp();
    ColumnOfBeads column(3, 0.15, 0.3, 0.5, 1.);
    column.beads[0]->setName("bead");
    TimeStepping simulation = simulationOf(column.model, 5e-3);
    const auto recorder = std::make_shared<Recorder>(file(), RecordFileOptions{.chunkBytes = 1024});
    recorder->record("bead", {{"q", "m", {"y", "x", "angle"}}});
    recorder->recordContacts({.rows = 1});
    simulation.addObserver(recorder);
    simulation.run();
    const RecordReader reader(file());
    ASSERT_EQ(reader.rows(), 201U);
    ASSERT_GT(reader.length("contacts/gap"), 20U);
    ASSERT_EQ(reader.range("contacts", 100).first,
              reader.range("contacts", 99).first + reader.range("contacts", 99).count);
  }

  void expectRefused(const std::function<void(hid_t)>& damage, std::initializer_list<std::string> parts) {
    const auto damaged = file("damaged.h5");
    std::filesystem::copy_file(file(), damaged, std::filesystem::copy_options::overwrite_existing);
    {
      const Handle opened(H5Fopen(damaged.c_str(), H5F_ACC_RDWR, hdf5::newestForm().id()), H5Fclose);
      ASSERT_TRUE(opened.valid());
      damage(opened.id());
    }
    std::vector<std::string> all(parts);
    all.emplace_back("damaged.h5");
    try {
      readAll(damaged);
      ADD_FAILURE() << "it was read: " << *parts.begin();
    } catch (const Error& error) {
      for (const std::string& part : all) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << " is not in: " << error.what();
      }
    }
  }

  static void readAll(const std::filesystem::path& path) {
    const RecordReader reader(path);
    for (const RecordQuantity& quantity : reader.quantities()) {
      reader.matrix(quantity.path);
      if (quantity.kind == RecordKind::name) reader.words(quantity.path);
    }
    for (std::size_t row = 0; row < reader.rows(); ++row) reader.range("contacts", row);
  }

  // What the damages are made of.

  using Handle = numerics::hdf5::Handle;

  static Handle open(hid_t file, const char* path) { return {H5Dopen2(file, path, H5P_DEFAULT), H5Dclose}; }
  static void resize(hid_t file, const char* path, std::initializer_list<hsize_t> extents) {
    ASSERT_GE(H5Dset_extent(open(file, path).id(), std::data(extents)), 0) << path;
  }
  static void write(hid_t file, const char* path, hsize_t row, long long number) {
    const Handle dataset = open(file, path);
    const Handle space(H5Dget_space(dataset.id()), H5Sclose), one(H5Screate(H5S_SCALAR), H5Sclose);
    ASSERT_GE(H5Sselect_elements(space.id(), H5S_SELECT_SET, 1, &row), 0);
    ASSERT_GE(H5Dwrite(dataset.id(), H5T_NATIVE_LLONG, one.id(), space.id(), H5P_DEFAULT, &number), 0);
  }
  static void remove(hid_t file, const char* path) { ASSERT_GE(H5Ldelete(file, path, H5P_DEFAULT), 0); }
  // In its place one of this type and size, in chunks of all of it or not in chunks.
  static void replace(hid_t file, const char* path, hid_t type, const std::vector<hsize_t>& size, bool inChunks) {
    remove(file, path);
    const int rank = static_cast<int>(size.size());
    const Handle space(H5Screate_simple(rank, size.data(), nullptr), H5Sclose);
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (inChunks) H5Pset_chunk(properties.id(), rank, size.data());
    const Handle dataset(H5Dcreate2(file, path, type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Dclose);
    ASSERT_TRUE(dataset.valid());
    hdf5::writeAttribute(dataset.id(), "kind", std::string("real"), path);
  }
};

TEST_F(DamagedRecordingTest, IsReadBeforeItIsDamaged) {
  readAll(file());
}

TEST_F(DamagedRecordingTest, IsRefusedWhereRowsAreMissing) {
  expectRefused([](hid_t f) { resize(f, "time", {3}); }, {"'time' has 3 rows, not 201"});
  expectRefused([](hid_t f) { resize(f, "systems/bead/q", {200, 3}); }, {"'systems/bead/q' has 200 rows, not 201"});
  expectRefused([](hid_t f) { resize(f, "contacts/gap", {1}); }, {"'contacts/gap' has 1 rows"});
  expectRefused([](hid_t f) { write(f, "rows", 0, 1000000); }, {"'time' has 201 rows, not 1000000"});
  expectRefused([](hid_t f) { write(f, "rows", 0, -1); }, {"expected a number of rows, got -1"});
  expectRefused([](hid_t f) { remove(f, "systems/bead/q"); }, {"cannot open the dataset 'systems/bead/q'"});
  // The extents say that they are there.
  constexpr hsize_t many = hsize_t{1} << 40;
  expectRefused(
      [](hid_t f) {
        write(f, "rows", 0, many);
        for (const char* const path : {"time", "step", "contacts/first", "contacts/count"}) resize(f, path, {many});
        resize(f, "systems/bead/q", {many, 3});
      },
      {"'time'", "lacks rows"});
}

TEST_F(DamagedRecordingTest, IsRefusedWhereARaggedTableIsNotWhereItsRowsSay) {
  expectRefused([](hid_t f) { write(f, "contacts/count", 200, 1LL << 40); }, {"'contacts/", "rows, not 10995116"});
  expectRefused([](hid_t f) { write(f, "contacts/count", 200, -1); }, {"'contacts/count' has -1 in row 200"});
  expectRefused([](hid_t f) { write(f, "contacts/first", 200, -7); }, {"'contacts/first' has -7 in row 200"});
  expectRefused([](hid_t f) { write(f, "contacts/first", 90, 1LL << 62); }, {"'contacts/first' has", "in row 90"});
  expectRefused([](hid_t f) { write(f, "contacts/count", 90, 1LL << 40); },
                {"'contacts/first'", "row 90", "after the"});
  expectRefused([](hid_t f) { write(f, "contacts/interaction", 5, 77); }, {"'contacts/interaction' has the name 77"});
  expectRefused([](hid_t f) { write(f, "contacts/interaction", 5, -1); }, {"'contacts/interaction' has the name -1"});
}

TEST_F(DamagedRecordingTest, IsRefusedWhereDatasetsAreOfAnotherForm) {
  const hid_t real = H5T_NATIVE_DOUBLE;
  expectRefused([&](hid_t f) { replace(f, "time", real, {201}, false); }, {"'time' is not stored in chunks"});
  expectRefused([&](hid_t f) { replace(f, "time", real, {201, 1, 1, 1}, true); }, {"'time' has 4 dimensions"});
  expectRefused([&](hid_t f) { replace(f, "time", H5T_NATIVE_FLOAT, {201}, true); }, {"'time' has no numbers of 64"});
  expectRefused([&](hid_t f) { replace(f, "time", H5T_NATIVE_LLONG, {201}, true); }, {"'time' has no numbers of 64"});
  expectRefused([&](hid_t f) { replace(f, "names", real, {4}, false); }, {"list of names in 'names'"});
  const Handle text = hdf5::fixedText(8);
  expectRefused([&](hid_t f) { replace(f, "names", text.id(), {2, 2}, false); }, {"list of names in 'names'"});
  expectRefused([&](hid_t f) { resize(f, "names", {hsize_t{1} << 40}); }, {"the list 'names' is longer"});
  expectRefused([&](hid_t f) { replace(f, "rows", real, {2}, false); }, {"one whole number in 'rows'"});
  expectRefused([&](hid_t f) { replace(f, "quantities", real, {2}, false); }, {"list of names in 'quantities'"});
  expectRefused([&](hid_t f) { H5Adelete(open(f, "time").id(), "kind"); }, {"'time' has the kind ''"});
  expectRefused(
      [&](hid_t f) {
        const Handle q = open(f, "systems/bead/q");
        H5Adelete(q.id(), "columns");
        hdf5::writeAttribute(q.id(), "columns", std::vector<std::string>{"y", "x"}, "damaged.h5");
      },
      {"'systems/bead/q' has another number of columns"});
}

}  // namespace
