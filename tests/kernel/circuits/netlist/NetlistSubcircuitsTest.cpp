// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "NetlistFaults.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;
using Nodes = std::vector<std::string>;

double valueOf(const Netlist& netlist, const std::string& name) {
  for (const NetlistElement& element : netlist.elements) {
    if (element.name == name) return element.value;
  }
  ADD_FAILURE() << "there is no " << name;
  return 0.;
}

TEST(NetlistSubcircuits, HaveNodesAndElementsUnderTheirPath) {
  const Netlist netlist = parseNetlist(R"(title
X1 a 0 pair
X2 a b Pair r=5 ; of which the second resistor is 10
.subckt pair p q r=1
R1 p m {r}
R2 m q {2*r}
.ends pair
)");
  ASSERT_EQ(netlist.elements.size(), 4U);
  EXPECT_EQ(netlist.elements[0].nodes, (Nodes{"a", "X1.m"}));
  EXPECT_EQ(netlist.elements[1].nodes, (Nodes{"X1.m", "0"}));
  EXPECT_EQ(netlist.elements[3].nodes, (Nodes{"X2.m", "b"}));
  EXPECT_EQ(valueOf(netlist, "X1.R2"), 2.);
  EXPECT_EQ(valueOf(netlist, "X2.R2"), 10.);
}

TEST(NetlistSubcircuits, SeeParametersOfTheirInstanceThenThoseAroundTheirDefinition) {
  const Netlist netlist = parseNetlist(R"(title
.param r=1 scale=100
X1 a 0 outer r={r+1}
.subckt outer a b r=7 k={r*10}
X2 a b inner s={k}
R1 a b {r}
.subckt inner a b s=0
.param own={s+scale}
R1 a b {own}
R2 a b {r}
X3 a b leaf
.ends
.subckt leaf a b
R1 a b {r*1000}
.ends
.ends
)");
  EXPECT_EQ(valueOf(netlist, "X1.R1"), 2.);
  EXPECT_EQ(valueOf(netlist, "X1.X2.R1"), 120.);
  EXPECT_EQ(valueOf(netlist, "X1.X2.R2"), 2.);
  EXPECT_EQ(valueOf(netlist, "X1.X2.X3.R1"), 2000.);
}

TEST(NetlistSubcircuits, HaveModelsOfTheirOwn) {
  const Netlist netlist = parseNetlist(R"(title
.model d D(ron=1)
D1 a 0 d
X1 a 0 sub drop=0.5
.subckt sub a b drop=0
.model d D(ron=2 vfwd={drop})
D1 a b d
.ends
)");
  EXPECT_EQ(netlist.elements[0].parameter("ron"), 1.);
  EXPECT_EQ(netlist.elements[1].parameter("ron"), 2.);
  EXPECT_EQ(netlist.elements[1].parameter("vfwd"), 0.5);
}

TEST(NetlistSubcircuits, ReferToTheirOwnElements) {
  const Netlist netlist = parseNetlist(R"(title
X1 a 0 sub
L1 a 0 1
.subckt sub a b
K1 L1 L2 0.5
L1 a b 1
L2 a b 1
.ends
)");
  EXPECT_EQ(netlist.elements[0].references, (Nodes{"X1.L1", "X1.L2"}));
}

TEST(NetlistSubcircuits, ShareGlobalNodes) {
  const Netlist netlist = parseNetlist("t\n.global vcc\nX1 a s\n.subckt s p\nR1 p VCC 1\nR2 vcc 0 1\n.ends\n");
  EXPECT_EQ(netlist.elements[0].nodes, (Nodes{"a", "VCC"}));
}

TEST(NetlistSubcircuits, MayBeManyAndDeepUpToTheLimit) {
  std::string chain = "X1 a 0 s0\n";
  for (int k = 0; k < 49; ++k) {
    chain += ".subckt s" + std::to_string(k) + " p q\nX1 p q s" + std::to_string(k + 1) + "\n.ends\n";
  }
  EXPECT_EQ(parseNetlist("t\n" + chain + ".subckt s49 p q\nR1 p q 1\n.ends\n").elements.size(), 1U);
  // Each of them doubles: without a limit there would be 2^49.
  std::string doubling = "X1 a 0 s0\n";
  for (int k = 0; k < 49; ++k) {
    const std::string next = std::to_string(k + 1);
    doubling += ".subckt s" + std::to_string(k) + " p q\nX1 p q s" + next + "\nX2 p q s" + next + "\n.ends\n";
  }
  try {
    NetlistLimits limits;
    limits.expandedBytes = 1'000'000;
    NetlistDocument::fromString("t\n" + doubling + ".subckt s49 p q\nR1 p q 1\n.ends\n", "deep.cir", limits).netlist();
    ADD_FAILURE() << "it was expanded";
  } catch (const NetlistError& error) {
    EXPECT_EQ(error.fault(), NetlistFault::limit);
  }
}

class NetlistIncludes : public ::testing::Test {
 protected:
  NetlistIncludes() { std::filesystem::remove_all(folder_); }
  ~NetlistIncludes() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { numerics::writeContent(folder_ / name, text); }

  NetlistFault faultOf(const std::string& name, const std::string& file, std::size_t line) const {
    try {
      readNetlist(folder_ / name);
    } catch (const NetlistError& error) {
      EXPECT_EQ(error.place().line, line) << error.what();
      EXPECT_EQ(std::filesystem::path(*error.place().file).filename(), file) << error.what();
      return error.fault();
    }
    ADD_FAILURE() << name << " was read";
    return NetlistFault::syntax;
  }

  /// Of this process: tests of one class run side by side.
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("delassus_netlist_includes_" + std::to_string(getpid()));
};

TEST_F(NetlistIncludes, StandForTheLinesOfAFileBesideTheirOwn) {
  write("main.cir", "title\n.include parts/one.inc\nR1 a 0 {r}\n");
  write("parts/one.inc", ".inc \"two.inc\"\n.end\nnothing\n");
  write("parts/two.inc", ".param r=5");
  EXPECT_EQ(readNetlist(folder_ / "main.cir").elements.at(0).value, 5.);
}

TEST_F(NetlistIncludes, ThatAreWrongAreTold) {
  write("absent.cir", "title\n\n.include nowhere.inc\n");
  EXPECT_EQ(faultOf("absent.cir", "absent.cir", 3), NetlistFault::file);
  write("self.cir", "title\n.include self.cir\n");
  EXPECT_EQ(faultOf("self.cir", "self.cir", 2), NetlistFault::recursion);
  write("in_part.cir", "title\n.include part.inc\n");
  write("part.inc", "* a part\nR1 a 0 1\nR2 a 0 x\n");
  EXPECT_EQ(faultOf("in_part.cir", "part.inc", 3), NetlistFault::number);
  write("folder.cir", "title\n.include .\n");
  EXPECT_EQ(faultOf("folder.cir", "folder.cir", 2), NetlistFault::file);
  EXPECT_EQ(faultOf("not_there.cir", "not_there.cir", 0), NetlistFault::file);
  for (int k = 0; k < 20; ++k) {
    write("deep" + std::to_string(k) + ".cir", "title\n.include deep" + std::to_string(k + 1) + ".cir\n");
  }
  EXPECT_EQ(faultOf("deep0.cir", "deep16.cir", 2), NetlistFault::limit);
  expectFault(".include x.cir", NetlistFault::file, 2, ".include");
}

}  // namespace
