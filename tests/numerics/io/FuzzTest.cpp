// SPDX-License-Identifier: Apache-2.0
//
// Files that are cut off, shuffled or changed give an Error or a problem, never a crash and never a large allocation.
// Not measured here: memory that HDF5 itself takes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <delassus/Config.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/io/TextProblems.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <filesystem>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "LargestAllocation.hpp"
#include "SampleProblems.hpp"

// HDF5 1.10 does not free all that it has taken for a file that it finds broken. (The name is the sanitizer's.)
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5";
}

namespace {

using namespace delassus;
using namespace delassus::numerics;
using test::SampleProblem;

constexpr std::size_t megabyte = 1000000;

class Fuzzing : public testing::Test {
 protected:
  void SetUp() override { test::resetLargestAllocation(); }
  // The files are of a few kB.
  void TearDown() override { EXPECT_LT(test::largestAllocation(), 4 * megabyte); }

  // Anything but an Error or a valid problem ends the test.
  void read(const std::string& content) {
    try {
      const ProblemFile file = parseProblem(content, "fuzz");
      std::visit([](const auto& problem) { problem.validate(); }, file.problem);
      ++problems_;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("fuzz")) << error.what();
      ++errors_;
    }
  }

  int problems_ = 0;
  int errors_ = 0;
};

std::vector<std::string> textsOfAllKinds() {
  std::vector<std::string> texts = test::otherLayouts();
  for (const SampleProblem& sample : test::sampleProblems()) {
    for (const TextStorage storage : {TextStorage::natural, TextStorage::blocks, TextStorage::sparse}) {
      texts.push_back(std::visit([&](const auto& problem) { return textOf(problem, storage); }, sample.problem));
    }
  }
  return texts;
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

TEST_F(Fuzzing, TextsCutOffAnywhere) {
  std::size_t offset = 0;
  for (const std::string& text : textsOfAllKinds()) {
    // Every byte of the short ones, every few bytes of the others.
    const std::size_t step = 1 + text.size() / 400;
    for (std::size_t length = offset++ % step; length < text.size(); length += step) read(text.substr(0, length));
  }
  EXPECT_GT(errors_, 5000);
}

TEST_F(Fuzzing, GlobalFrictionCutOffIsNeverTakenAsLocal) {
  std::vector<AnyProblem> problems;
  // One contact of a body of as many degrees of freedom, so that M has the size of a W.
  for (const std::size_t d : {2U, 3U}) {
    const SparseMatrix unit = sparseFromDense(identityMatrix(d));
    Vector f(d), b(d), mu(1);
    f(0) = -1.;
    mu(0) = 0.5;
    problems.emplace_back(GlobalFrictionContactProblem(d, unit, unit, f, b, mu));
  }
  for (const SampleProblem& sample : test::sampleProblems()) {
    if (std::holds_alternative<GlobalFrictionContactProblem>(sample.problem)) problems.push_back(sample.problem);
  }
  for (const AnyProblem& problem : problems) {
    for (const TextStorage storage :
         {TextStorage::natural, TextStorage::dense, TextStorage::blocks, TextStorage::sparse}) {
      const std::vector<std::string> words =
          wordsOf(std::visit([&](const auto& any) { return textOf(any, storage); }, problem));
      for (std::size_t count = 1; count < words.size(); ++count) {
        const std::string text = joined({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count)});
        try {
          const ProblemFile file = parseProblem(text, "fuzz");
          EXPECT_FALSE(std::holds_alternative<FrictionContactProblem>(file.problem)) << text;
        } catch (const Error&) {
        }
      }
    }
  }
}

TEST_F(Fuzzing, TextsWithTwoWordsExchanged) {
  std::mt19937_64 generator(7);
  for (const std::string& text : textsOfAllKinds()) {
    const std::vector<std::string> words = wordsOf(text);
    std::uniform_int_distribution<std::size_t> any(0, words.size() - 1);
    for (int k = 0; k < 100; ++k) {
      std::vector<std::string> shuffled = words;
      std::swap(shuffled[any(generator)], shuffled[any(generator)]);
      read(joined(shuffled));
    }
  }
  EXPECT_GT(problems_, 100);
  EXPECT_GT(errors_, 100);
}

TEST_F(Fuzzing, TextsWithAllWordsShuffled) {
  std::mt19937_64 generator(8);
  for (const std::string& text : textsOfAllKinds()) {
    std::vector<std::string> words = wordsOf(text);
    for (int k = 0; k < 20; ++k) {
      std::shuffle(words.begin(), words.end(), generator);
      read(joined(words));
    }
  }
}

TEST_F(Fuzzing, TextsWithAWordReplacedDroppedOrDoubled) {
  for (const std::string& text : textsOfAllKinds()) {
    const std::vector<std::string> words = wordsOf(text);
    // The sizes and pointers come first; values are all alike.
    const std::size_t last = std::min<std::size_t>(words.size(), 40);
    for (std::size_t k = 0; k < last; ++k) {
      for (const char* word : {"-1", "0", "1", "2", "3", "1000000000", "4294967296", "9223372036854775807",
                               "18446744073709551615", "nan", "inf", "1e999", "x", "", "7 7"}) {
        std::vector<std::string> changed = words;
        changed[k] = word;
        read(joined(changed));
      }
    }
  }
  EXPECT_GT(errors_, 5000);
}

TEST_F(Fuzzing, TextsOfAKilobyteThatDeclareABillionContacts) {
  for (const char* start :
       {"3 1000000000 0 3000000000 3000000000 3000000000 3000000000", "3 1000000000 1 3000000000 3000000000 0",
        "3 1000000000 1 3000000000 3000000000 1000000000 1000000000 1000000000",
        "3 1000000000 2 3000000000 3000000000 1 x 3000000000-by-3000000000, nzmax: 0 nnz: 0, 1-norm: 0",
        "3 1 1 3 3 1000000000 1 1 3 3 2 1000000000", "3 0 2 1000000000 1000000000 1 x",
        "1000000000 1 1000000000 1000000000 0", "1 0 1000000000 1000000000 0 2000000000 1 1 2000000000 2000000000 0",
        "0 1 1000000000 1000000000", "1 0 1 1 0 1 2 0 1 1 2 1000000000 0"}) {
    std::string text = start;
    while (text.size() < 1024) text += " 1";
    read(text);
  }
  EXPECT_EQ(problems_, 0);
  EXPECT_LT(test::largestAllocation(), megabyte);
}

TEST_F(Fuzzing, TextsWithRandomBytesChanged) {
  std::mt19937_64 generator(9);
  for (const std::string& text : textsOfAllKinds()) {
    std::uniform_int_distribution<std::size_t> any(0, text.size() - 1);
    for (int k = 0; k < 50; ++k) {
      std::string changed = text;
      for (int n = 0; n < 3; ++n) changed[any(generator)] = static_cast<char>(generator() % 256);
      read(changed);
    }
  }
}

class FclibFuzzing : public Fuzzing {
 protected:
  void SetUp() override {
    if (!withHdf5) GTEST_SKIP() << "This build has no HDF5.";
  }

  // Small FCLIB files, one of each class.
  static std::vector<std::string> contents() {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("delassus_fuzz_" + std::to_string(getpid()) + ".hdf5");
    std::vector<std::string> contents;
    for (const SampleProblem& sample : test::sampleProblems()) {
      if (sample.name != "friction2d" && sample.name != "globalFriction3d" && sample.name != "globalRolling") continue;
      writeProblem(path, sample.problem, FileFormat::fclib);
      contents.push_back(readContent(path));
    }
    std::filesystem::remove(path);
    return contents;
  }

  // Number of cases: all of them where DELASSUS_FUZZ_ALL is set.
  static std::size_t stepFor(std::size_t cases, std::size_t wanted) {
    return std::getenv("DELASSUS_FUZZ_ALL") != nullptr ? 1 : std::max<std::size_t>(1, cases / wanted);
  }
};

TEST_F(FclibFuzzing, FilesCutOffAnywhere) {
  for (const std::string& content : contents()) {
    for (std::size_t length = 0; length < content.size(); length += stepFor(content.size(), 270)) {
      read(content.substr(0, length));
    }
  }
  EXPECT_GT(errors_, 500);
}

TEST_F(FclibFuzzing, FilesWithOneBitChanged) {
  for (const std::string& content : contents()) {
    const std::size_t bits = 8 * content.size();
    for (std::size_t bit = 0; bit < bits; bit += stepFor(bits, 1000)) {
      std::string changed = content;
      changed[bit / 8] = static_cast<char>(static_cast<unsigned char>(changed[bit / 8]) ^ (1U << (bit % 8)));
      read(changed);
    }
  }
  EXPECT_GT(problems_, 100);
  EXPECT_GT(errors_, 10);
}

}  // namespace
