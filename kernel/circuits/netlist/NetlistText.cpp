// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>
#include <delassus/kernel/circuits/netlist/NetlistText.hpp>
#include <delassus/numerics/io/TextReader.hpp>

namespace delassus {
namespace {

constexpr std::string_view blanks = " \t";

std::string_view withoutBlanks(std::string_view text) {
  const std::size_t start = text.find_first_not_of(blanks);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(blanks) - start + 1);
}

// Without what follows a ';' outside of quotes.
std::string_view withoutComment(std::string_view text) {
  char quote = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ';') {
      return text.substr(0, k);
    }
  }
  return text;
}

std::string_view firstWord(std::string_view text) {
  return text.substr(0, std::min(text.find_first_of(blanks), text.size()));
}

void requireText(std::string_view line, const NetlistPlace& place) {
  const auto isControl = [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 127; };
  const auto found = std::find_if(line.begin(), line.end(), isControl);
  if (found == line.end()) return;
  throw NetlistError(NetlistFault::syntax, place, "",
                     "expected text, got a byte of value " + std::to_string(static_cast<int>(*found)) + ".");
}

// A name in quotes or without them.
std::string_view unquoted(std::string_view name) {
  const bool isQuoted =
      name.size() >= 2 && (name.front() == '"' || name.front() == '\'') && name.back() == name.front();
  return isQuoted ? name.substr(1, name.size() - 2) : name;
}

}  // namespace

NetlistPlace NetlistLine::placeOf(std::size_t offset) const {
  NetlistPlace found = place;
  for (const auto& [start, line] : continuations) {
    if (start <= offset) found.line = line;
  }
  return found;
}

NetlistText NetlistText::fromFile(const std::filesystem::path& file, const NetlistLimits& limits) {
  NetlistText text(limits);
  text.addFile(file, true, {std::make_shared<const std::string>(file.string()), 0});
  return text;
}

NetlistText NetlistText::fromString(std::string_view text, const std::string& name, const NetlistLimits& limits) {
  NetlistText read(limits);
  read.addText(text, std::make_shared<const std::string>(name), true);
  return read;
}

void NetlistText::addFile(const std::filesystem::path& file, bool hasTitle, const NetlistPlace& from) {
  std::error_code failure;
  const std::filesystem::path unique = std::filesystem::weakly_canonical(file, failure);
  if (std::find(including_.begin(), including_.end(), unique) != including_.end()) {
    throw NetlistError(NetlistFault::recursion, from, ".include", "'" + file.string() + "' includes itself.");
  }
  if (including_.size() > limits_.includeDepth) {
    throw NetlistError(NetlistFault::limit, from, ".include",
                       "expected files at most " + std::to_string(limits_.includeDepth) + " deep in each other.");
  }
  std::string content;
  try {
    content = numerics::readContent(file, limits_.textBytes);
  } catch (const NetlistError&) {
    throw;
  } catch (const Error& error) {
    throw NetlistError(NetlistFault::file, from, hasTitle ? "" : ".include", error.what());
  }
  including_.push_back(unique);
  addText(content, std::make_shared<const std::string>(file.string()), hasTitle);
  including_.pop_back();
}

void NetlistText::addText(std::string_view text, const std::shared_ptr<const std::string>& name, bool hasTitle) {
  NetlistPlace place{name, 0};
  if (hasTitle) place_ = {name, 1};
  bytes_ += text.size();
  if (bytes_ > limits_.textBytes) {
    throw NetlistError(NetlistFault::limit, place, "",
                       "expected at most " + std::to_string(limits_.textBytes) + " bytes in all files.");
  }
  bool goesOn = true;
  while (goesOn && !text.empty()) {
    ++place.line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    requireText(line, place);
    if (hasTitle && place.line == 1) {
      title_ = withoutBlanks(line);
      if (title_.starts_with('.')) notes_.push_back(place.text() + ": the first line is the title and is not read.");
    } else {
      goesOn = addPhysicalLine(line, place);
    }
  }
  if (goesOn) closeStatement();
  open_ = {};
  inControl_ = false;
}

// False after `.end`.
bool NetlistText::addPhysicalLine(std::string_view line, const NetlistPlace& place) {
  if (withoutBlanks(line).starts_with('*')) return true;
  const std::string_view content = withoutBlanks(withoutComment(line));
  if (content.empty()) return true;
  if (!content.starts_with('+')) {
    if (!closeStatement()) return false;
    open_ = {{}, place, {}};
    appendTo(open_, content);
    return true;
  }
  if (open_.text.empty()) {
    if (inControl_) return true;
    throw NetlistError(NetlistFault::syntax, place, "", "'+' continues a statement, but there is none before it.");
  }
  open_.text += ' ';
  open_.continuations.emplace_back(open_.text.size(), place.line);
  appendTo(open_, withoutBlanks(content.substr(1)));
  return true;
}

void NetlistText::appendTo(NetlistLine& statement, std::string_view part) const {
  if (statement.text.size() + part.size() > limits_.statementBytes) {
    throw NetlistError(NetlistFault::limit, statement.place, "",
                       "expected a statement of at most " + std::to_string(limits_.statementBytes) + " bytes.");
  }
  statement.text += part;
}

bool NetlistText::closeStatement() {
  if (open_.text.empty()) return true;
  const NetlistLine line = std::move(open_);
  open_ = {};
  return takeDirective(line);
}

// False for `.end`.
bool NetlistText::takeDirective(const NetlistLine& line) {
  const std::string_view word = firstWord(line.text);
  const std::string directive = inLowerCase(word);
  if (inControl_) {
    inControl_ = directive != ".endc";
    return true;
  }
  if (directive == ".end") return false;
  if (directive == ".control") {
    inControl_ = true;
    notes_.push_back(line.place.text() + ": .control is left out, up to .endc.");
  } else if (directive == ".include" || directive == ".inc") {
    include(line, withoutBlanks(std::string_view(line.text).substr(word.size())));
  } else if (lines_.size() < limits_.statements) {
    lines_.push_back(line);
  } else {
    throw NetlistError(NetlistFault::limit, line.place, "",
                       "expected at most " + std::to_string(limits_.statements) + " statements.");
  }
  return true;
}

void NetlistText::include(const NetlistLine& line, std::string_view name) {
  const std::string_view file = unquoted(name);
  if (file.empty())
    throw NetlistError(NetlistFault::wrongCount, line.place, ".include", "expected the name of a file.");
  if (including_.empty()) {
    throw NetlistError(NetlistFault::file, line.place, ".include", "a text that is not in a file includes none.");
  }
  addFile(including_.back().parent_path() / std::filesystem::path(file), false, line.place);
}

}  // namespace delassus
