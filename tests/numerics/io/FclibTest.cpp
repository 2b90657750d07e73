// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <delassus/numerics/choice/AutomaticGlobalSolver.hpp>
#include <delassus/numerics/io/Hdf5.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <support/TestData.hpp>
#include <vector>

#include "../../support/Matchers.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;
using test::expectError;

// What an FCLIB file of one contact in 2D holds; tests change it before it is written. W = [2 1; 1 3].
struct Layout {
  std::map<std::string, std::vector<long long>> integers{
      {"/fclib_local/spacedim", {2}},    {"/fclib_local/W/m", {2}},     {"/fclib_local/W/n", {2}},
      {"/fclib_local/W/nz", {-1}},       {"/fclib_local/W/nzmax", {4}}, {"/fclib_local/W/p", {0, 2, 4}},
      {"/fclib_local/W/i", {0, 1, 0, 1}}};
  std::map<std::string, std::vector<double>> reals{{"/fclib_local/W/x", {2., 1., 1., 3.}},
                                                   {"/fclib_local/vectors/q", {-1., 0.5}},
                                                   {"/fclib_local/vectors/mu", {0.3}}};
  std::vector<std::string> groups{"/fclib_local", "/fclib_local/W", "/fclib_local/vectors"};
};

class FclibFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() / ("delassus_fclib_" + std::to_string(getpid()) + ".hdf5");
  }
  void TearDown() override { std::filesystem::remove(path_); }

  ProblemFile read(const Layout& layout) {
    hdf5::Writer file(path_);
    for (const std::string& group : layout.groups) file.group(group);
    for (const auto& [name, values] : layout.integers) file.integers(name, values);
    for (const auto& [name, values] : layout.reals) file.reals(name, values.data(), values.size());
    file.close();
    return readProblem(path_);
  }

  Matrix readMatrix(const Layout& layout) {
    const ProblemFile file = read(layout);
    BlockSparseMatrix W;
    std::get<FrictionContactProblem>(file.problem).W().assemble(W);
    Matrix dense;
    W.toDense(dense);
    return dense;
  }

  std::filesystem::path path_;
};

TEST_F(FclibFile, ReadsCompressedColumnsRowsAndTriplets) {
  Layout layout;
  layout.reals["/fclib_local/W/x"] = {2., 4., 1., 3.};
  test::expectNear(readMatrix(layout), makeMatrix({{2., 1.}, {4., 3.}}), 0.);
  layout.integers["/fclib_local/W/nz"] = {-2};
  test::expectNear(readMatrix(layout), makeMatrix({{2., 4.}, {1., 3.}}), 0.);
  // Triplets, of which only the first three count.
  layout.integers["/fclib_local/W/nz"] = {3};
  layout.integers["/fclib_local/W/p"] = {0, 0, 1, 99};
  layout.integers["/fclib_local/W/i"] = {0, 1, 1, 99};
  test::expectNear(readMatrix(layout), makeMatrix({{2., 0.}, {4., 1.}}), 0.);
}

TEST_F(FclibFile, ReadsVectorsAndGivesAnswersThatFit) {
  Layout layout;
  layout.groups.insert(layout.groups.end(), {"/solution", "/guesses", "/guesses/1", "/guesses/2"});
  layout.reals["/solution/r"] = {0.5, 0.1};
  layout.reals["/guesses/1/r"] = {1., 2., 3.};
  layout.reals["/guesses/2/r"] = {0.4, 0.2};
  const ProblemFile file = read(layout);
  const auto& problem = std::get<FrictionContactProblem>(file.problem);
  test::expectNear(problem.q(), makeVector({-1., 0.5}), 0.);
  test::expectNear(problem.mu(), makeVector({0.3}), 0.);
  ASSERT_EQ(file.answers.size(), 2U);
  EXPECT_EQ(file.answers[0].name, "solution");
  test::expectNear(file.answers[0].unknown, makeVector({0.5, 0.1}), 0.);
  EXPECT_EQ(file.answers[1].name, "guesses/2");
}

TEST_F(FclibFile, RefusesEqualityBlocksUnlessTheyAreEmpty) {
  Layout layout;
  layout.groups.push_back("/fclib_local/V");
  layout.integers["/fclib_local/V/m"] = {2};
  layout.integers["/fclib_local/V/n"] = {0};
  EXPECT_NO_THROW(read(layout));
  layout.integers["/fclib_local/V/n"] = {1};
  expectError([&] { read(layout); }, {"/fclib_local/V", "unsupported: equality blocks"});
}

TEST_F(FclibFile, NamesTheDatasetThatIsWrong) {
  struct Change {
    std::string dataset;
    std::vector<long long> values;
    std::string message;
  };
  for (const Change& change : std::vector<Change>{
           {"/fclib_local/spacedim", {4}, "expected dimension 2 or 3, got 4"},
           {"/fclib_local/spacedim", {2, 2}, "expected one number, got 2"},
           {"/fclib_local/W/m", {1000000000}, "expected 2 from the sizes of the vectors, got 1000000000"},
           {"/fclib_local/W/n", {-1}, "expected 2 from the sizes of the vectors, got -1"},
           {"/fclib_local/W/nz", {-3}, "expected -2, -1 or a count, got -3"},
           {"/fclib_local/W/p", {0, 2}, "expected at least 3 elements, got 2"},
           {"/fclib_local/W/p", {1, 2, 4}, "expected 0 at the start, got 1"},
           {"/fclib_local/W/p", {0, 3, 2}, "expected pointers that do not descend"},
           {"/fclib_local/W/p", {0, 2, 5}, "up to the 4 entries stored, got 5"},
           {"/fclib_local/W/p", {0, -2, 4}, "got -2"},
           {"/fclib_local/W/i", {0, 1, 0, 2}, "expected indices from 0 to 2 - 1, got 2"},
           {"/fclib_local/W/i", {0, -1, 0, 1}, "got -1"}}) {
    SCOPED_TRACE(change.dataset + ": " + change.message);
    Layout layout;
    layout.integers[change.dataset] = change.values;
    expectError([&] { read(layout); }, {path_.string() + ", dataset " + change.dataset, change.message});
  }
}

TEST_F(FclibFile, NamesTheDatasetThatIsTooShort) {
  Layout layout;
  layout.integers["/fclib_local/W/nz"] = {1000000000};
  expectError([&] { read(layout); }, {"dataset /fclib_local/W/p: expected at least 1000000000 elements, got 3"});
  layout = {};
  layout.integers["/fclib_local/spacedim"] = {3};
  expectError([&] { read(layout); },
              {"/fclib_local/vectors/q: expected a component for each direction of each contact, 3, got 2"});
}

TEST_F(FclibFile, NamesTheDatasetThatIsAbsent) {
  Layout layout;
  layout.reals.erase("/fclib_local/vectors/mu");
  expectError([&] { read(layout); }, {"dataset /fclib_local/vectors/mu: expected such a dataset, got none"});
}

TEST_F(FclibFile, RefusesNumbersThatAreNotFinite) {
  Layout layout;
  layout.reals["/fclib_local/W/x"][2] = std::numeric_limits<double>::quiet_NaN();
  expectError([&] { read(layout); }, {"/fclib_local/W/x", "expected finite numbers"});
  layout = {};
  layout.reals["/fclib_local/vectors/q"][0] = std::numeric_limits<double>::infinity();
  expectError([&] { read(layout); }, {path_.string(), "/fclib_local/vectors/q"});
}

TEST_F(FclibFile, RefusesADatasetThatDeclaresMoreThanIsStored) {
  Layout layout;
  layout.reals.erase("/fclib_local/vectors/mu");
  read({});
  {
    // A billion coefficients, none of them written: HDF5 would give zeros for them.
    const hdf5::Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Ldelete(file.id(), "/fclib_local/vectors/mu", H5P_DEFAULT), 0);
    const hsize_t size = 1000000000;
    const hdf5::Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const hdf5::Handle dataset(H5Dcreate2(file.id(), "/fclib_local/vectors/mu", H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                                          H5P_DEFAULT, H5P_DEFAULT),
                               H5Dclose);
    ASSERT_TRUE(dataset.valid());
  }
  expectError([&] { readProblem(path_); }, {"/fclib_local/vectors/mu", "1000000000 elements", "0 bytes are stored"});
}

TEST_F(FclibFile, RefusesHdf5OfAnotherLayoutAndOtherClasses) {
  Layout layout;
  expectError(
      [&] {
        read({{}, {}, {"/something"}});
      },
      {"expected the group fclib_local, fclib_global or fclib_global_rolling"});
  read(layout);
  expectError([&] { readLcp(path_); }, {"expected a problem of class lcp, got one of class friction"});
}

// A body of mass 2 on one rolling contact, which it presses on: f = (-4, 1, 0, 0, 0).
Layout rollingLayout() {
  Layout layout;
  const std::string root = "/fclib_global_rolling";
  layout.groups = {root, root + "/M", root + "/H", root + "/vectors"};
  layout.integers = {{root + "/spacedim", {5}}};
  for (const char* matrix : {"/M", "/H"}) {
    for (const auto& [name, values] : std::map<std::string, std::vector<long long>>{{"/m", {5}},
                                                                                    {"/n", {5}},
                                                                                    {"/nzmax", {5}},
                                                                                    {"/nz", {5}},
                                                                                    {"/p", {0, 1, 2, 3, 4}},
                                                                                    {"/i", {0, 1, 2, 3, 4}}}) {
      layout.integers[root + matrix + name] = values;
    }
  }
  layout.reals = {{root + "/M/x", {2., 2., 2., 2., 2.}},
                  {root + "/H/x", {1., 1., 1., 1., 1.}},
                  {root + "/vectors/f", {-4., 1., 0., 0., 0.}},
                  {root + "/vectors/w", {0., 0., 0., 0., 0.}},
                  {root + "/vectors/mu", {0.5}},
                  {root + "/vectors/mu_r", {0.1}}};
  return layout;
}

TEST_F(FclibFile, ReadsRollingContactsInGlobalForm) {
  Layout layout = rollingLayout();
  layout.groups.push_back("/solution");
  layout.reals["/solution/r"] = {4., -1., 0., 0., 0.};
  const ProblemFile file = read(layout);
  EXPECT_EQ(classNameOf(file.problem), "global_mechanical");
  EXPECT_EQ(sizeOf(file.problem), 10U);
  EXPECT_EQ(contactsOf(file.problem), 1U);
  ASSERT_EQ(file.answers.size(), 1U);
  const auto& problem = std::get<GlobalMechanicalProblem>(file.problem);
  EXPECT_EQ(problem.parts()[0].set->coefficients(), (std::array<double, 2>{0.5, 0.1}));
  test::expectNear(toDense(problem.M()), Matrix(2. * identityMatrix(5)), 0.);
  // It sticks: the contact holds both forces.
  Vector r, w;
  ASSERT_TRUE(AutomaticGlobalSolver(1e-12).solve(problem, r, w).converged());
  test::expectNear(r, file.answers[0].unknown, 1e-11);
  // The same by the name of the class.
  EXPECT_EQ(readGlobalMechanical(path_).degreesOfFreedom(), 5U);
}

TEST(PublishedFclib, OfRollingContactsHasTheVelocitiesThatItCameWith) {
  const std::filesystem::path path = test::publishedFile("problems/other/Chute-ndof-768-nc-4-3.hdf5");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << test::noTestData();
  const std::string content = readContent(path);
  const std::vector<double> published = hdf5::Reader(content, path.string()).reals("/solution/u");
  const ProblemFile file = readProblem(path);
  Vector r, w;
  ASSERT_TRUE(AutomaticGlobalSolver(1e-10).solve(std::get<GlobalMechanicalProblem>(file.problem), r, w).converged());
  ASSERT_EQ(w.size(), published.size());
  // Of another program, which says that it solved to 1e-3; of 1 m/s, they differ by 7e-7.
  for (std::size_t i = 0; i < w.size(); ++i) EXPECT_NEAR(w(i), published[i], 2e-6);
}

TEST_F(FclibFile, NamesWhatIsWrongInRollingContacts) {
  const std::string root = "/fclib_global_rolling";
  Layout layout = rollingLayout();
  layout.integers[root + "/spacedim"] = {3};
  expectError([&] { read(layout); }, {root + "/spacedim", "5", "got 3"});
  layout = rollingLayout();
  layout.reals[root + "/vectors/mu_r"] = {0.1, 0.2};
  expectError([&] { read(layout); }, {root + "/vectors/mu_r", "1", "got 2"});
  layout = rollingLayout();
  layout.reals[root + "/vectors/w"] = {0., 0., 0.};
  expectError([&] { read(layout); }, {root + "/vectors/w", "5", "got 3"});
  layout = rollingLayout();
  layout.integers[root + "/H/n"] = {4};
  expectError([&] { read(layout); }, {root + "/H/n", "5", "got 4"});
  layout = rollingLayout();
  layout.reals.erase(root + "/vectors/mu_r");
  expectError([&] { read(layout); }, {root + "/vectors/mu_r", "got none"});
  layout = rollingLayout();
  layout.reals[root + "/vectors/mu_r"] = {-0.1};
  expectError([&] { read(layout); }, {path_.string(), "-0.1"});
  layout = rollingLayout();
  layout.groups.push_back(root + "/G");
  layout.integers[root + "/G/m"] = layout.integers[root + "/G/n"] = {1};
  expectError([&] { read(layout); }, {root + "/G", "equality blocks"});
}

TEST_F(FclibFile, IsQuietAboutFilesThatAreBroken) {
  read({});
  const std::string content = readContent(path_);
  testing::internal::CaptureStderr();
  expectError([&] { parseProblem(content.substr(0, 600), "file.hdf5"); }, {"file.hdf5: expected an HDF5 file"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
