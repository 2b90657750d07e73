// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/VtkPolyData.hpp>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <numeric>
#include <string_view>
#include <system_error>

namespace delassus {
namespace {

std::string attribute(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result += '"';
}

const char* vtkType(double) {
  return "Float64";
}
const char* vtkType(float) {
  return "Float32";
}
const char* vtkType(std::int32_t) {
  return "Int32";
}

// Header and binary part grow in parallel: an element names where its bytes begin in the other.
class Document {
 public:
  std::string header;
  std::string bytes;

  template <class Number>
  void dataArray(const std::string& attributes, const std::vector<Number>& values, const std::string& unit = {}) {
    header += "<DataArray type=\"" + std::string(vtkType(Number{})) + "\" " + attributes + place();
    if (unit.empty()) {
      header += "/>\n";
    } else {
      header +=
          "><InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">" + unit + "</InformationKey></DataArray>\n";
    }
    append(values.data(), values.size() * sizeof(Number));
  }

  void names(const std::string& name, const std::vector<std::string>& list) {
    header += "<Array type=\"String\" Name=" + attribute(name) + " NumberOfTuples=\"" + std::to_string(list.size()) +
              "\"" + place() + "/>\n";
    std::string joined;
    for (const std::string& entry : list) (joined += entry) += '\0';
    append(joined.data(), joined.size());
  }

  void cells(const char* kind, const VtkPolyData::Cells& cells) {
    header += std::string("<") + kind + ">\n";
    dataArray("Name=\"connectivity\"", cells.connectivity);
    dataArray("Name=\"offsets\"", cells.offsets);
    header += std::string("</") + kind + ">\n";
  }

  void fields(const char* kind, const std::vector<VtkPolyData::Array>& arrays) {
    header += std::string("<") + kind + ">\n";
    for (const VtkPolyData::Array& array : arrays) {
      std::string attributes = "Name=" + attribute(array.name);
      if (array.components > 1) attributes += " NumberOfComponents=\"" + std::to_string(array.components) + "\"";
      std::visit([&](const auto& values) { dataArray(attributes, values, array.unit); }, array.values);
    }
    header += std::string("</") + kind + ">\n";
  }

 private:
  std::string place() const { return " format=\"appended\" offset=\"" + std::to_string(bytes.size()) + "\""; }

  void append(const void* from, std::size_t n) {
    const auto length = static_cast<std::uint64_t>(n);
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
    bytes.append(static_cast<const char*>(from), n);
  }
};

std::string reason() {
  return std::strerror(errno);
}

}  // namespace

std::size_t VtkPolyData::points() const {
  return std::visit([](const auto& values) { return values.size() / 3; }, coordinates);
}

void VtkPolyData::write(const std::filesystem::path& path) const {
  constexpr const char* byteOrder = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  const std::size_t vertices = hasVertices ? points() : 0;
  Document file;
  file.header = std::string("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"") +
                byteOrder + "\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n";
  file.dataArray("Name=\"TimeValue\" NumberOfTuples=\"1\"", std::vector<double>{time_});
  for (const auto& [name, list] : names) file.names(name, list);
  file.header += "</FieldData>\n<Piece NumberOfPoints=\"" + std::to_string(points()) + "\" NumberOfVerts=\"" +
                 std::to_string(vertices) + "\" NumberOfLines=\"" + std::to_string(lines.size()) +
                 "\" NumberOfStrips=\"0\" NumberOfPolys=\"" + std::to_string(polygons.size()) + "\">\n";
  file.fields("PointData", pointData);
  file.fields("CellData", cellData);
  file.header += "<Points>\n";
  std::visit([&](const auto& values) { file.dataArray("Name=\"Points\" NumberOfComponents=\"3\"", values); },
             coordinates);
  file.header += "</Points>\n";
  Cells each;
  each.connectivity.resize(vertices);
  each.offsets.resize(vertices);
  std::iota(each.connectivity.begin(), each.connectivity.end(), 0);
  std::iota(each.offsets.begin(), each.offsets.end(), 1);
  file.cells("Verts", each);
  file.cells("Lines", lines);
  file.cells("Polys", polygons);
  file.header += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
  writeWhole(path, file.header + file.bytes + "\n</AppendedData>\n</VTKFile>\n");
}

void writeWhole(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::path part = path;
  part += ".part";
  std::FILE* const file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) throw Error("VtkWriter", "cannot write '" + part.string() + "': " + reason() + ".");
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const std::string writeReason = reason();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) {
    throw Error("VtkWriter", "cannot write to '" + part.string() + "': " + (written ? reason() : writeReason) + ".");
  }
  std::error_code failure;
  std::filesystem::rename(part, path, failure);
  if (failure) {
    throw Error("VtkWriter",
                "cannot rename '" + part.string() + "' to '" + path.string() + "': " + failure.message() + ".");
  }
}

}  // namespace delassus
