// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/io/TableWriter.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using delassus::test::expectError;

class TableWriterTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::string content(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() /
      ("delassus_table_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(TableWriterTest, WritesHeaderAndRowsThatReadBackTheSame) {
  TableWriter table(folder_ / "deep" / "t.csv", {"t [s]", "x [m]"});
  table.writeRow({0.1, 1. / 3.});
  table.writeRow({-1e-300, 12345678.9});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "deep" / "t.csv"));
  table.close();
  std::ifstream in(folder_ / "deep" / "t.csv");
  std::string header;
  std::getline(in, header);
  EXPECT_EQ(header, "t [s],x [m]");
  double t = 0., x = 0.;
  char comma = 0;
  in >> t >> comma >> x;
  EXPECT_EQ(t, 0.1);
  EXPECT_EQ(x, 1. / 3.);
  EXPECT_EQ(table.rows(), 2U);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "deep" / "t.csv.part"));
}

TEST_F(TableWriterTest, KeepsTheOldFileUntilTheNewOneIsWhole) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "t.csv") << "old";
  {
    TableWriter table(folder_ / "t.csv", {"x"});
    table.writeRow({1.});
  }
  EXPECT_EQ(content(folder_ / "t.csv"), "old");
}

TEST_F(TableWriterTest, TakesWordsAndPutsThemInQuotesWhereTheyNeedThem) {
  TableWriter table(folder_ / "t.csv", {"", "kind, or \"sort\""});
  table.writeRow({0.25, "impact"});
  table.writeRow({1., std::string_view("take-off")});
  table.writeRow({2., "one, two"});
  table.writeRow({3., "the \"first\"\r\nof all"});
  expectError([&] { table.writeRow({1., "impact", 2.}); }, {"has 2 columns, but a row of 3 values came"});
  table.close();
  EXPECT_EQ(content(folder_ / "t.csv"),
            ",\"kind, or \"\"sort\"\"\"\n0.25,impact\n1,take-off\n2,\"one, two\"\n3,\"the \"\"first\"\"  of all\"\n");
}

TEST_F(TableWriterTest, LeavesThePartFileOfARunToGoOnWithUntilTheFirstRow) {
  TableWriter::Position saved;
  {
    TableWriter killed(folder_ / "t.csv", {"x"});
    killed.writeRow({1.});
    saved = killed.position();
    killed.writeRow({2.});
  }
  TableWriter table(folder_ / "t.csv", {"x"});
  const TableWriter::Position nothing = table.position();
  EXPECT_EQ(nothing.rows, 0U);
  table.continueAt(nothing);
  table.continueAt(saved);
  table.writeRow({3.});
  table.close();
  EXPECT_EQ(content(folder_ / "t.csv"), "x\n1\n3\n");
}

TEST_F(TableWriterTest, RefusesRowsAndPathsThatDoNotFit) {
  TableWriter table(folder_ / "t.csv", {"a", "b"});
  expectError([&] { table.writeRow({1.}); }, {"t.csv", "2 columns", "1 values"});
  table.close();
  expectError([&] { table.writeRow({1., 2.}); }, {"closed"});
  expectError([&] { TableWriter(folder_ / "u.csv", {}); }, {"no columns"});
  expectError([&] { TableWriter(folder_ / "t.csv" / "below.csv", {"a"}); }, {"cannot create the folder"});
}

}  // namespace
