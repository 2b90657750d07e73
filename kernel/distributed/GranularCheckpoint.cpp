// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints of GranularSimulation: the file of Checkpoint, with the grains for its state.
#include <delassus/kernel/distributed/GranularSimulation.hpp>
#include <delassus/kernel/io/CheckpointArchive.hpp>
#include <delassus/kernel/io/CheckpointFile.hpp>
#include <string>

namespace delassus::distributed {
namespace {

constexpr const char* kind = "GranularSimulation";

using Named = detail::CheckpointContent::Named;

std::vector<Named> described(const Settings& settings) {
  std::vector<Named> all{{"simulation", kind}};
  for (const Setting& setting : settings.list()) all.emplace_back(setting.name, setting.value);
  return all;
}

void requireSame(const std::vector<Named>& stored, const std::vector<Named>& here, const std::string& label) {
  if (stored.empty() || stored.front() != here.front()) {
    throw Error(label, "it is not that of a " + std::string(kind) + ".");
  }
  for (std::size_t k = 0; k < std::max(stored.size(), here.size()); ++k) {
    if (k < stored.size() && k < here.size() && stored[k] == here[k]) continue;
    const auto tell = [k](const std::vector<Named>& all) {
      return k < all.size() ? all[k].first + " " + all[k].second : std::string("nothing more");
    };
    throw Error(
        label, "it is that of another simulation: it has " + tell(stored) + ", where this one has " + tell(here) + ".");
  }
}

}  // namespace

void GranularSimulation::save(const std::filesystem::path& path) const {
  const std::vector<Grain> all = gather();
  ranks_.onFirst([&] {
    std::vector<double> grains;
    for (const Grain& grain : all) grain.write(grains);
    detail::SavingArchive archive;
    archive.section("grains");
    archive.value("grains", grains);
    detail::CheckpointContent content;
    content.time = time();
    content.stepIndex = stepIndex();
    content.description = described(description_);
    content.state = std::move(archive).bytes();
    detail::writeCheckpoint(content, path);
  });
}

void GranularSimulation::restore(const std::filesystem::path& path) {
  if (ranks_.any(simulation_ != nullptr || !new_.empty())) {
    throw AgreedError(
        "GranularSimulation: a checkpoint is restored before the first step and before grains are inserted.");
  }
  std::vector<double> instant(2);
  ranks_.onFirst([&] {
    const std::string label = "Checkpoint '" + path.string() + "'";
    const detail::CheckpointContent content = detail::readCheckpoint(path);
    requireSame(content.description, described(description_), label);
    detail::RestoringArchive archive(content.state, label);
    archive.section("grains");
    std::vector<double> grains;
    archive.value("grains", grains);
    archive.requireEnd();
    std::vector<Grain> read;
    for (PacketReader reader(grains); !reader.isAtEnd();) {
      read.push_back(Grain::read(reader));
      read.back().body();  // throws
    }
    new_ = std::move(read);
    instant = {content.time, static_cast<double>(content.stepIndex)};
  });
  ranks_.sum(instant);  // of zeros but for the first rank
  isRestored_ = true;
  options_.begin = instant[0];
  stepsBefore_ = static_cast<std::size_t>(instant[1]);
}

}  // namespace delassus::distributed
