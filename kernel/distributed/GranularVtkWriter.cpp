// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/distributed/GranularVtkWriter.hpp>

#include <cstdio>
#include <cstdlib>
#include <delassus/kernel/io/VtkPolyData.hpp>
#include <delassus/numerics/Settings.hpp>
#include <fstream>
#include <string>
#include <system_error>

namespace delassus::distributed {
namespace {

std::string frameName(std::size_t step) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "grains_%06zu", step);
  return digits;
}

std::string pieceName(std::size_t step, std::size_t rank) {
  return frameName(step) + "_" + std::to_string(rank) + ".vtp";
}

double radiusOf(const Shape& shape) {
  const double ball = shape.convex()->ballRadius();
  if (ball > 0.) return ball;
  const auto [lower, upper] = shape.bounds({});
  Vector3 farthest;
  for (std::size_t k = 0; k < 3; ++k) farthest[k] = std::max(-lower[k], upper[k]);
  return norm(farthest);
}

VtkPolyData pieceOf(const GranularSimulation& simulation) {
  std::vector<float> centres, radii, velocities, orientations;
  std::vector<std::int32_t> numbers, ranks;
  for (const Grain& grain : simulation.own()) {
    for (std::size_t i = 0; i < 3; ++i) {
      centres.push_back(static_cast<float>(grain.q(i)));
      velocities.push_back(static_cast<float>(grain.v(i)));
    }
    for (std::size_t i = 3; i < 7; ++i) orientations.push_back(static_cast<float>(grain.q(i)));
    radii.push_back(static_cast<float>(radiusOf(*grain.shape)));
    numbers.push_back(static_cast<std::int32_t>(grain.number));
    ranks.push_back(static_cast<std::int32_t>(simulation.ranks().rank()));
  }
  VtkPolyData piece(simulation.time());
  piece.coordinates = std::move(centres);
  piece.hasVertices = true;
  piece.pointData = {{"number", "", 1, std::move(numbers)},
                     {"rank", "", 1, std::move(ranks)},
                     {"radius", "m", 1, std::move(radii)},
                     {"velocity", "m/s", 3, std::move(velocities)},
                     {"orientation", "", 4, std::move(orientations)}};
  return piece;
}

// What the pieces have, and where they are.
std::string frameOf(const VtkPolyData& piece, std::size_t step, std::size_t ranks) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PPolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PPolyData GhostLevel=\"0\">\n<PPointData>\n";
  for (const VtkPolyData::Array& array : piece.pointData) {
    const char* const type = std::holds_alternative<std::vector<float>>(array.values) ? "Float32" : "Int32";
    text += std::string("<PDataArray type=\"") + type + "\" Name=\"" + array.name + "\" NumberOfComponents=\"" +
            std::to_string(array.components) + "\"/>\n";
  }
  text +=
      "</PPointData>\n<PPoints>\n<PDataArray type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\"/>\n</PPoints>\n";
  for (std::size_t rank = 0; rank < ranks; ++rank) text += "<Piece Source=\"" + pieceName(step, rank) + "\"/>\n";
  return text + "</PPolyData>\n</VTKFile>\n";
}

constexpr const char* listBegin =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";

}  // namespace

// The frames of the run that this one goes on with, up to the checkpoint.
void GranularVtkWriter::takeList(const GranularSimulation& simulation) {
  if (hasList_) return;
  hasList_ = true;
  if (!simulation.isRestored()) return;
  std::ifstream file(folder_ / "grains.pvd");
  constexpr std::string_view begin = "<DataSet timestep=\"";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(begin)) continue;
    char* end = nullptr;
    const double time = std::strtod(line.c_str() + begin.size(), &end);
    if (*end == '"' && time <= simulation.begin() && time < simulation.time()) list_ += line + "\n";
  }
}

void GranularVtkWriter::write(const GranularSimulation& simulation) {
  const Ranks& ranks = simulation.ranks();
  const std::size_t step = simulation.stepIndex();
  const VtkPolyData piece = pieceOf(simulation);
  ranks.onFirst([&] {
    std::error_code failure;
    std::filesystem::create_directories(folder_ / "frames", failure);
    if (!failure) return;
    throw Error("GranularVtkWriter",
                "cannot create the folder '" + (folder_ / "frames").string() + "': " + failure.message() + ".");
  });
  ranks.agree([&] { piece.write(folder_ / "frames" / pieceName(step, ranks.rank())); });
  ranks.onFirst([&] {
    takeList(simulation);
    const std::string frame = frameName(step) + ".pvtp";
    writeWhole(folder_ / "frames" / frame, frameOf(piece, step, ranks.size()));
    list_ += "<DataSet timestep=\"" + toText(simulation.time()) + "\" file=\"frames/" + frame + "\"/>\n";
    writeWhole(folder_ / "grains.pvd", listBegin + list_ + "</Collection>\n</VTKFile>\n");
  });
}

}  // namespace delassus::distributed
