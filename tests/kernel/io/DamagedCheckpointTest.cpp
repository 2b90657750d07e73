// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints whose checksums are right and whose payload is not: each is refused by an Error that leaves all as it
// was, or it is a state that the run goes on from, where a number stands in the place of another one.
#include <gtest/gtest.h>

#include <boost/crc.hpp>
#include <cstdlib>
#include <delassus/kernel/diagnostics/DriftMonitor.hpp>
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <support/Circuits.hpp>
#include <support/Linkages.hpp>
#include <support/Models.hpp>
#include <support/Restart.hpp>

#include "../../numerics/io/LargestAllocation.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr std::size_t headerSize = 40;

std::uint32_t crc(const std::string& bytes) {
  boost::crc_32_type sum;
  sum.process_bytes(bytes.data(), bytes.size());
  return sum.checksum();
}

void put(std::string& bytes, std::size_t place, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[place + i] = static_cast<char>((number >> (8 * i)) & 0xffu);
}

// A file with this payload, with the header of another one whose length and checksums are made right.
std::string withPayload(const std::string& file, const std::string& payload) {
  std::string header = file.substr(0, headerSize);
  put(header, 24, payload.size(), 8);
  put(header, 32, crc(payload), 4);
  put(header, 36, crc(header.substr(0, 36)), 4);
  return header + payload;
}

class DamagedCheckpoint : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(restartFolder()); }

  // Saves the run after some steps, and restores damaged copies into a run that has not begun.
  void damage(const MakeRun& makeRun, std::size_t steps) {
    std::filesystem::create_directories(restartFolder());
    {
      RestartRun run = makeRun();
      for (std::size_t k = 0; k < steps; ++k) stepOnce(run);
      saveCheckpoint(*run.simulation, path_);
    }
    file_ = bytesOf(path_);
    run_ = makeRun();
    run_.simulation->initialise();
    changeWords();
    changeBytes();
    cutOff();
    EXPECT_GT(refused_, 100U);
  }

 private:
  // Every word where a size, a mark or a number may stand.
  void changeWords() {
    const std::string payload = file_.substr(headerSize);
    for (std::size_t place = 0; place + 8 <= payload.size(); place += stride(payload.size(), 700)) {
      for (const std::uint64_t word : {~std::uint64_t{0}, std::uint64_t{1} << 40, std::uint64_t{1} << 62}) {
        std::string changed = payload;
        put(changed, place, word, 8);
        restore(changed);
      }
    }
  }

  void changeBytes() {
    const std::string payload = file_.substr(headerSize);
    std::mt19937_64 generator(1);
    for (std::size_t place = 0; place < payload.size(); place += stride(payload.size(), 1000)) {
      std::string changed = payload;
      changed[place] = static_cast<char>(generator() % 256);
      restore(changed);
    }
  }

  void cutOff() {
    for (std::size_t length = 0; length + headerSize < file_.size(); length += stride(file_.size(), 300)) {
      restore(file_.substr(headerSize, length));
    }
    restore(file_.substr(headerSize) + "x");
  }

  // From case to case, so that about so many are made; all of them where DELASSUS_FUZZ_ALL is set. Odd, so that the
  // places in a word take turns.
  static std::size_t stride(std::size_t cases, std::size_t wanted) {
    return std::getenv("DELASSUS_FUZZ_ALL") != nullptr ? 1 : (cases / wanted) | 1U;
  }

  // Any other exception ends the test.
  void restore(const std::string& payload) {
    std::ofstream(path_, std::ios::binary) << withPayload(file_, payload);
    const std::vector<double> before = imageOf(*run_.simulation);
    resetLargestAllocation();
    try {
      restoreCheckpoint(*run_.simulation, path_);
    } catch (const Error& error) {
      ++refused_;
      EXPECT_EQ(firstDifference(imageOf(*run_.simulation), before), "") << error.what();
    }
    EXPECT_LT(largestAllocation(), 20 * file_.size() + 1000000U);
  }

  std::filesystem::path path_ = restartFolder() / "damaged.checkpoint";
  std::string file_;
  RestartRun run_;
  std::size_t refused_ = 0;
};

TEST_F(DamagedCheckpoint, OfABallThatIsLookedAtIsRefusedOrRestored) {
  damage(
      [] {
        auto ball = std::make_shared<BouncingBall>(0.2, -0.5, 0.8, 0.8, 3);
        ball->ball->setHistoryDepth(3);
        auto simulation =
            std::make_shared<TimeStepping>(ball->model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(), LCP());
        auto integral = std::make_shared<std::vector<double>>(3, 1.);
        simulation->addState("integral", [integral](StateArchive& archive) { archive.value("integral", *integral); });
        simulation->addObserver(std::make_shared<EnergyBalance>());
        simulation->addObserver(std::make_shared<DriftMonitor>());
        return restartRun(ball, simulation);
      },
      30);
}

TEST_F(DamagedCheckpoint, OfALinkageIsRefusedOrRestored) {
  damage(
      [] {
        auto linkage = std::make_shared<SpatialFourBar>(0.3, 3., 9.81, 0.5);
        return restartRun(linkage, std::make_shared<TimeStepping>(linkage->model, TimeDiscretisation(0., 0.02),
                                                                  MoreauJeanOSI(), MLCP()));
      },
      5);
}

TEST_F(DamagedCheckpoint, OfARelayIsRefusedOrRestored) {
  damage(
      [] {
        auto relay = std::make_shared<RelayOscillator>(3.);
        return restartRun(relay, std::make_shared<TimeStepping>(relay->model, TimeDiscretisation(0., 0.01),
                                                                EulerMoreauOSI(0.5), Relay()));
      },
      20);
}

}  // namespace
