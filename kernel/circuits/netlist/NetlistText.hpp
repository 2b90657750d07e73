// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/NetlistError.hpp>
#include <delassus/kernel/circuits/netlist/NetlistLimits.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

/// A statement as it stands in a file: a line and its continuations, without comments.
struct NetlistLine {
  std::string text;    ///< with a blank before each continuation
  NetlistPlace place;  ///< of its first line
  /// Where continuations begin in the text, and on which lines.
  std::vector<std::pair<std::size_t, std::size_t>> continuations;

  /// The place of a character of the text.
  NetlistPlace placeOf(std::size_t offset) const;
};

/// The statements of a netlist with those of the files that it includes.
///
/// The first line of the text is its title. A line that begins with `*` is a comment, and so is all from `;` on,
/// outside of quotes. A line that begins with `+` continues the one before. `.end` ends its file; `.control` … `.endc`
/// are left out. `.include FILE` and `.inc FILE` stand for the lines of a file, without a title, whose name is relative
/// to the file that includes it.
class NetlistText {
 public:
  /// Reads a file. Throws NetlistError, also for a file that includes itself and beyond the limits.
  static NetlistText fromFile(const std::filesystem::path& file, const NetlistLimits& limits);
  /// Takes a text, which includes no files; `name` stands for the file in messages.
  static NetlistText fromString(std::string_view text, const std::string& name, const NetlistLimits& limits);

  /// The first line.
  const std::string& title() const { return title_; }
  /// Where it stands.
  const NetlistPlace& place() const { return place_; }
  /// All statements in order; `.include` and `.end` are none.
  const std::vector<NetlistLine>& lines() const { return lines_; }
  /// What the user should know though it is no error.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  explicit NetlistText(const NetlistLimits& limits) : limits_(limits) {}
  void addFile(const std::filesystem::path& file, bool hasTitle, const NetlistPlace& from);
  void addText(std::string_view text, const std::shared_ptr<const std::string>& name, bool hasTitle);
  bool addPhysicalLine(std::string_view line, const NetlistPlace& place);
  void appendTo(NetlistLine& statement, std::string_view part) const;
  bool closeStatement();
  bool takeDirective(const NetlistLine& line);
  void include(const NetlistLine& line, std::string_view name);

  NetlistLimits limits_;
  std::string title_;
  NetlistPlace place_;
  std::vector<NetlistLine> lines_;
  std::vector<std::string> notes_;
  NetlistLine open_;  // the statement that may be continued; without text: none
  bool inControl_ = false;
  std::vector<std::filesystem::path> including_;  // files from the first to the present one; empty: no files
  std::size_t bytes_ = 0;
};

}  // namespace delassus
