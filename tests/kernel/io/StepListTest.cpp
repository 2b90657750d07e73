// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/StepList.hpp>
#include <delassus/numerics/io/Hdf5.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <set>
#include <support/Matchers.hpp>

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
  list.begin();
  for (const std::size_t step : {2U, 10U, 1234567U}) add(list, step);
  add(list, 10);
  EXPECT_EQ(list.fileOf(10), file("run.h5.steps") / "000010.h5");
  EXPECT_EQ(numberIn(file(), "000002"), 2.);
  EXPECT_EQ(numberIn(file(), "000010"), 10.);
  EXPECT_EQ(numberIn(file(), "1234567"), 1234567.);
  EXPECT_EQ(numberIn(file(), "000003"), -1.);
  const std::filesystem::path other = file("elsewhere");
  std::filesystem::create_directories(other);
  std::filesystem::rename(file(), other / "run.h5");
  std::filesystem::rename(file("run.h5.steps"), other / "run.h5.steps");
  EXPECT_EQ(numberIn(other / "run.h5", "000010"), 10.);
}

TEST_F(StepListTest, GoesOnAfterTheStepThatIsAsked) {
  {
    StepList list(file());
    list.begin();
    for (const std::size_t step : {1U, 2U, 3U, 1000000U}) add(list, step);
  }
  StepList list(file());
  list.goOnAfter(2);
  EXPECT_EQ(StepList::stepsIn(file()), (std::set<std::size_t>{1, 2})) << "what is dropped could be written over";
  add(list, 4);
  EXPECT_EQ(numberIn(file(), "000001"), 1.);
  EXPECT_EQ(numberIn(file(), "000002"), 2.);
  EXPECT_EQ(numberIn(file(), "000003"), -1.) << "it came after the checkpoint";
  EXPECT_EQ(numberIn(file(), "1000000"), -1.);
  EXPECT_EQ(numberIn(file(), "000004"), 4.);
  StepList fresh(file());
  fresh.begin();
  EXPECT_EQ(StepList::stepsIn(file()), std::set<std::size_t>{});
  add(fresh, 3);
  EXPECT_EQ(numberIn(file(), "000001"), -1.) << "it is of another run";
  EXPECT_EQ(numberIn(file(), "000003"), 3.);
}

TEST_F(StepListTest, IsFoundByARelativeName) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directories(file("here"));
  std::filesystem::current_path(file("here"));
  for (const char* const name : {"bare.h5", "./dot.h5", "../above.h5", "below/deeper.h5"}) {
    StepList list(name);
    list.begin();
    add(list, 7);
    EXPECT_EQ(numberIn(name, "000007"), 7.) << name;
    EXPECT_EQ(numberIn(std::filesystem::absolute(name), "000007"), 7.) << name;
  }
  std::filesystem::current_path(before);
}

TEST_F(StepListTest, DoesNotWriteOverStepsOfAnother) {
  StepList list(file()), other(file("run.hdf5"));
  list.begin();
  other.begin();
  add(list, 1);
  EXPECT_NE(list.fileOf(1), other.fileOf(1));
  std::filesystem::rename(file(), file("old.h5"));
  StepList again(file());
  expectError([&] { again.begin(); }, {"run.h5", "no list", "run.h5.steps", "another name"});
  EXPECT_EQ(numberIn(file("old.h5"), "000001"), 1.);
}

TEST_F(StepListTest, DoesNotGoOnWithoutTheFilesOfItsSteps) {
  StepList list(file());
  list.begin();
  for (const std::size_t step : {1U, 2U}) add(list, step);
  std::filesystem::rename(file(), file("old.h5"));
  StepList moved(file("old.h5"));
  expectError([&] { moved.goOnAfter(2); }, {"old.h5", "step 1 is listed", "000001.h5", "missing"});
  EXPECT_EQ(StepList::stepsIn(file("old.h5")), (std::set<std::size_t>{1, 2})) << "it was changed";
  std::filesystem::create_symlink(file("old.h5"), file("link.h5"));
  StepList link(file("link.h5"));
  expectError([&] { link.goOnAfter(2); }, {"link.h5", "symbolic link"});
  expectError([&] { link.begin(); }, {"link.h5", "symbolic link"});
  StepList nameless(file("") / "");
  expectError([&] { nameless.begin(); }, {"no name"});
}

TEST_F(StepListTest, LeavesOtherFilesAsTheyAre) {
  const auto expectRefused = [&](const std::filesystem::path& path, const char* why) {
    const std::string content = numerics::readContent(path);
    StepList list(path);
    expectError([&] { list.begin(); }, {path.filename(), why});
    expectError([&] { list.goOnAfter(3); }, {path.filename(), why});
    EXPECT_EQ(numerics::readContent(path), content);
  };
  numerics::writeContent(file("letter.h5"), "a letter");
  expectRefused(file("letter.h5"), "no list of recorded steps");
  numerics::hdf5::Writer(file("problem.h5")).close();
  expectRefused(file("problem.h5"), "no list of recorded steps");
  StepList list(file());
  list.begin();
  add(list, 1);
  std::filesystem::resize_file(file(), std::filesystem::file_size(file()) / 2);
  expectRefused(file(), "truncated, damaged, or locked");
}

TEST_F(StepListTest, SaysWhyAListCannotBeWritten) {
  numerics::writeContent(file("plain"), "a file");
  StepList list(file("plain") / "run.h5");
  expectError([&] { list.begin(); }, {"plain", "Not a directory"});
}

}  // namespace
