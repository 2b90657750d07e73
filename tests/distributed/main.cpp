// SPDX-License-Identifier: Apache-2.0
//
// All ranks run all tests; the first one tells what happens, the others what failed there.
#include <gtest/gtest.h>

#include <cstdio>
#include <delassus/numerics/distributed/Ranks.hpp>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return delassus::distributed::runOnRanks("distributed_tests", [](const delassus::distributed::Ranks& ranks) {
    if (!ranks.isFirst()) {
      auto& listeners = testing::UnitTest::GetInstance()->listeners();
      delete listeners.Release(listeners.default_result_printer());
      struct Failures final : testing::EmptyTestEventListener {
        void OnTestPartResult(const testing::TestPartResult& result) override {
          if (!result.failed()) return;
          std::fprintf(stderr, "another rank, %s:%d: %s\n", result.file_name() != nullptr ? result.file_name() : "",
                       result.line_number(), result.message());
        }
      };
      listeners.Append(new Failures);
    }
    return ranks.any(RUN_ALL_TESTS() != 0) ? 1 : 0;
  });
}
