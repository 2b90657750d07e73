// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/rotations/FixedSize.hpp>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace delassus {

/// Points, polylines and polygons with data, as a file of VTK's XML format for PolyData (.vtp, read by VTK 6 and later
/// and by ParaView): a header, and all numbers in binary behind it. Data of cells are in the order: a vertex for each
/// point (if there are any), lines, polygons.
class VtkPolyData {
 public:
  /// Numbers, of the type that they have in the file.
  using Values = std::variant<std::vector<double>, std::vector<float>, std::vector<std::int32_t>>;

  /// A field: `components` numbers a point or cell.
  struct Array {
    std::string name;            ///< under which programs offer it
    std::string unit;            ///< stored where VTK expects units; empty for none
    std::size_t components = 1;  ///< numbers of each point or cell
    Values values;               ///< point after point, or cell after cell
  };
  /// Polylines or polygons, by their points.
  struct Cells {
    std::vector<std::int32_t> connectivity;  ///< numbers of points from 0, cell after cell
    std::vector<std::int32_t> offsets;       ///< ends of the cells in `connectivity`
    /// Cells that were ended.
    std::size_t size() const { return offsets.size(); }
    /// Ends a cell with what has been added to `connectivity`.
    void close() { offsets.push_back(static_cast<std::int32_t>(connectivity.size())); }
  };

  /// At an instant, s.
  explicit VtkPolyData(double time) : time_(time) {}

  /// A third of the numbers in `coordinates`.
  std::size_t points() const;
  /// Three numbers a point: double, or float if fewer digits suffice.
  Values coordinates = std::vector<float>{};
  bool hasVertices = false;      ///< a cell for each point, without which points alone are not seen
  Cells lines;                   ///< polylines
  Cells polygons;                ///< each with its last point joined to the first
  std::vector<Array> pointData;  ///< fields with a tuple for each point
  std::vector<Array> cellData;   ///< fields with a tuple for each cell, in the order above
  /// Lists of names, in the data of the whole file.
  std::vector<std::pair<std::string, std::vector<std::string>>> names;

  /// Writes to "path.part" and renames it, so that the file is always complete. Throws Error if writing fails.
  void write(const std::filesystem::path& path) const;

 private:
  double time_;
};

/// Writes the bytes beside `path`, as "path.part", and renames. Throws Error naming the path if the disk does not take
/// them.
void writeWhole(const std::filesystem::path& path, const std::string& bytes);

}  // namespace delassus
