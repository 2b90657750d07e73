// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/StepList.hpp>
#include <delassus/numerics/io/FileContent.hpp>
#include <delassus/numerics/io/Hdf5.hpp>
#include <support/Matchers.hpp>
#include <system_error>

#include "RecorderFixture.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;
using numerics::hdf5::Handle;
using numerics::hdf5::Silence;

class StepListTest : public RecorderFixture {
 protected:
  // A step is a file with one number.
  void add(StepList& list, std::size_t step) const {
    std::filesystem::create_directories(list.fileOf(step).parent_path());
    numerics::hdf5::Writer file(list.fileOf(step));
    const double value = static_cast<double>(step);
    file.reals("/q", &value, 1);
    file.close();
    list.add(step);
  }
  // The number that a reader of the list finds in a step; -1 if it finds none.
  static double numberIn(const std::filesystem::path& list, const std::string& step) {
    const Silence silence;
    const Handle file(H5Fopen(list.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    const Handle set(H5Dopen2(file.id(), ("/steps/" + step + "/q").c_str(), H5P_DEFAULT), H5Dclose);
    double number = -1.;
    if (set.valid()) H5Dread(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number);
    return number;
  }
};

TEST_F(StepListTest, JoinsTheStepsInOneFileThatMayBeMovedWithThem) {
  StepList list(file());
  for (const std::size_t step : {2, 10, 1234567}) add(list, step);
  add(list, 10);
  EXPECT_EQ(list.fileOf(10), file("run.steps") / "000010.h5");
  EXPECT_EQ(numberIn(file(), "000002"), 2.);
  EXPECT_EQ(numberIn(file(), "000010"), 10.);
  EXPECT_EQ(numberIn(file(), "1234567"), 1234567.);
  EXPECT_EQ(numberIn(file(), "000003"), -1.);
  const std::filesystem::path other = file("elsewhere");
  std::filesystem::create_directories(other);
  std::filesystem::rename(file(), other / "run.h5");
  std::filesystem::rename(file("run.steps"), other / "run.steps");
  EXPECT_EQ(numberIn(other / "run.h5", "000010"), 10.);
}

TEST_F(StepListTest, GoesOnAfterTheStepThatIsAsked) {
  {
    StepList list(file());
    for (const std::size_t step : {1, 2, 3, 1000000}) add(list, step);
  }
  StepList list(file());
  list.goOnAfter(2);
  add(list, 4);
  EXPECT_EQ(numberIn(file(), "000001"), 1.);
  EXPECT_EQ(numberIn(file(), "000002"), 2.);
  EXPECT_EQ(numberIn(file(), "000003"), -1.) << "it came after the checkpoint";
  EXPECT_EQ(numberIn(file(), "1000000"), -1.);
  EXPECT_EQ(numberIn(file(), "000004"), 4.);
  StepList fresh(file());
  fresh.requireReplaceable();
  add(fresh, 3);
  EXPECT_EQ(numberIn(file(), "000001"), -1.) << "it is of another run";
  EXPECT_EQ(numberIn(file(), "000003"), 3.);
}

TEST_F(StepListTest, WhatAKilledWriterLeftIsNotInTheWay) {
  StepList list(file());
  add(list, 1);
  numerics::writeContent(file("run.h5.part"), "\x89HDF, and no more");
  add(list, 2);
  StepList again(file());
  again.goOnAfter(2);
  add(again, 3);
  for (const double step : {1., 2., 3.}) EXPECT_EQ(numberIn(file(), "00000" + std::to_string(int(step))), step);
  EXPECT_FALSE(std::filesystem::exists(file("run.h5.part")));
}

TEST_F(StepListTest, LeavesOtherFilesAsTheyAre) {
  const auto expectRefused = [&](const std::filesystem::path& path) {
    StepList list(path);
    expectError([&] { list.requireReplaceable(); }, {path.filename(), "no list of recorded steps", "remove it"});
    expectError([&] { list.goOnAfter(3); }, {path.filename(), "no list of recorded steps", "remove it"});
  };
  numerics::writeContent(file("letter.h5"), "a letter");
  expectRefused(file("letter.h5"));
  numerics::hdf5::Writer(file("problem.h5")).close();
  expectRefused(file("problem.h5"));
  StepList list(file());
  add(list, 1);
  std::filesystem::resize_file(file(), std::filesystem::file_size(file()) / 2);
  expectRefused(file());
}

TEST_F(StepListTest, SaysWhyAListCannotBeWritten) {
  std::filesystem::create_directories(file("run.h5.part"));
  StepList list(file());
  expectError([&] { add(list, 1); }, {"run.h5.part", "Is a directory"});
}

}  // namespace
