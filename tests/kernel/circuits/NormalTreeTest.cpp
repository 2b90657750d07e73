// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/circuits/LinearForm.hpp>
#include <delassus/kernel/circuits/NormalTree.hpp>

namespace {

using namespace delassus;

TEST(NormalTreeTest, PreferredBranchesAreInTheTree) {
  // A triangle with a branch beside one of its sides, and a part by itself.
  const NormalTree tree(5, {{0, 1, 3}, {1, 2, 1}, {2, 0, 2}, {0, 1, 4}, {3, 4, 9}});
  const bool expected[] = {false, true, true, false, true};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(tree.contains(k), expected[k]) << k;
  EXPECT_TRUE(tree.areConnected(0, 2));
  EXPECT_FALSE(tree.areConnected(0, 3));
  EXPECT_EQ(tree.root(2), 0U);
  EXPECT_EQ(tree.root(4), 3U);
}

TEST(NormalTreeTest, PathsHaveTheSignsOfTheirPassages) {
  const NormalTree tree(4, {{0, 1, 0}, {2, 1, 0}, {2, 3, 0}, {3, 0, 1}});
  const auto path = tree.path(0, 3);
  ASSERT_EQ(path.size(), 3U);
  const double signs[] = {1., -1., 1.};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(path[k].branch, k);
    EXPECT_EQ(path[k].sign, signs[k]);
  }
  EXPECT_TRUE(tree.path(2, 2).empty());
}

TEST(LinearFormTest, WhatCancelsToRoundingIsZero) {
  const CircuitSymbol x{CircuitSymbol::Kind::state, 0}, u{CircuitSymbol::Kind::source, 1};
  LinearForm form(x, 0.1);
  form.add(x, 0.2);
  form.add(x, -0.3);  // 5.6e-17 is left
  form.add(u, 2.);
  EXPECT_EQ(form.of(x), 0.);
  EXPECT_EQ(form.of(u), 2.);
  EXPECT_EQ(form.terms().size(), 1U);
  EXPECT_FALSE(form.has(CircuitSymbol::Kind::state));
}

TEST(LinearFormTest, SymbolsAreReplacedByForms) {
  const CircuitSymbol x{CircuitSymbol::Kind::state, 0}, s{CircuitSymbol::Kind::unknown, 1};
  LinearForm form(s, 2.);
  form.add(x, 1.);
  const LinearForm replaced = form.replacing(CircuitSymbol::Kind::unknown, {LinearForm(), LinearForm(x, 3.)});
  EXPECT_EQ(replaced.of(x), 7.);
  EXPECT_FALSE(replaced.has(CircuitSymbol::Kind::unknown));
}

}  // namespace
