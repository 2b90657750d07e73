// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <delassus/kernel/io/Plugin.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <filesystem>
#include <fstream>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using delassus::test::expectError;

using Forces = void(double, Vector&);

TEST(PluginTest, GivesFunctionsThatKeepTheirSharedObject) {
  std::function<int()> count;
  {
    const auto forces = plugin::load<Forces>("DelassusTest", "externalForces");
    Vector f(1);
    forces(3., f);
    EXPECT_EQ(f(0), 6.);
    count = plugin::load<int()>("DelassusTest", "count");
  }
  EXPECT_EQ(count(), 1);
  EXPECT_EQ(std::function<int()>(count)(), 2);
}

TEST(PluginTest, FindsSharedObjectsByNameInFoldersAndByPath) {
  const plugin::SharedObject beside("DelassusTest");  // beside the program
  EXPECT_EQ(beside.functions(), (std::vector<std::string>{"count", "externalForces", "failing"}));
  EXPECT_NO_THROW(plugin::SharedObject(beside.path().string()));
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "delassus_plugin_test";
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(beside.path(), folder / "libElsewhere.so",
                             std::filesystem::copy_options::overwrite_existing);
  expectError([] { plugin::SharedObject("Elsewhere"); },
              {"Plugin 'Elsewhere'", "no such shared object", "libElsewhere.so", "DELASSUS_PLUGIN_PATH"});
  setenv("DELASSUS_PLUGIN_PATH", ("/nowhere:" + folder.string()).c_str(), 1);
  EXPECT_EQ(plugin::SharedObject("Elsewhere").path(), folder / "libElsewhere.so");
  expectError([] { plugin::SharedObject("Missing"); }, {"/nowhere/libMissing.so", "/nowhere/Missing.so"});
  unsetenv("DELASSUS_PLUGIN_PATH");
  expectError([] { plugin::SharedObject("./Missing.so"); }, {"no such shared object", "Missing.so"});
  std::ofstream(folder / "Broken.so") << "no shared object";
  expectError([&] { plugin::SharedObject((folder / "Broken.so").string()); }, {"cannot be loaded", "Broken.so"});
  std::filesystem::remove_all(folder);
}

TEST(PluginTest, NamesMissingFunctionsAndThoseThatThereAre) {
  expectError([] { plugin::load<Forces>("DelassusTest", "internalForces"); },
              {"Plugin 'DelassusTest'", "no function 'internalForces'", "it exports count, externalForces, failing"});
  expectError([] { plugin::loadUnchecked<double(double)>("DelassusTest", "other"); },
              {"no C function 'other'", "plain"});
}

TEST(PluginTest, NamesBothTypesWhereTheyDiffer) {
  expectError([] { plugin::load<void(double, const Vector&, Vector&)>("DelassusTest", "externalForces"); },
              {"'externalForces' is void (double, Vector&)", "asked for is void (double, Vector const&, Vector&)"});
  expectError([] { plugin::load<void(double, Matrix&)>("DelassusTest", "externalForces"); },
              {"asked for is void (double, Matrix&)"});
}

TEST(PluginTest, TakesFunctionsWithoutDescriptionOnlyUnchecked) {
  expectError([] { plugin::load<double(double)>("DelassusTest", "plain"); },
              {"'plain' is exported without a description", "DELASSUS_PLUGIN_FUNCTION", "loadUnchecked"});
  EXPECT_EQ((plugin::loadUnchecked<double(double)>("DelassusTest", "plain"))(4.), 8.);
}

TEST(PluginTest, RefusesPluginsOfAnotherVersion) {
  expectError([] { plugin::load<Forces>("DelassusOldTest", "externalForces"); },
              {"version 0.0.9", libraryVersion, "build it again"});
}

TEST(PluginTest, LetsErrorsThrough) {
  const auto failing = plugin::load<void(double, const Matrix&)>("DelassusTest", "failing");
  expectError([&] { failing(0., Matrix(1, 1)); }, {"TestPlugin", "it failed"});
}

}  // namespace
