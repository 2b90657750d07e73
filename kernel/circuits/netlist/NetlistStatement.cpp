// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>
#include <delassus/kernel/circuits/netlist/NetlistStatement.hpp>

namespace delassus {
namespace {

constexpr std::string_view separators = " \t,";
constexpr std::string_view endsOfWords = " \t,=(){}'\"";

std::string quotedPiece(const NetlistToken& token) {
  return "'" + std::string(token.text.substr(0, 40)) + "'";
}

}  // namespace

NetlistStatement::NetlistStatement(const NetlistLine& line, std::string_view path) : line_(line) {
  const std::string_view text = line.text;
  head_ = text.substr(0, std::min(text.find_first_of(endsOfWords), text.size()));
  element_ = std::string(path) + std::string(head_);
  none_.begin = none_.end = text.size();
  split();
  if (head_.empty()) {
    throw NetlistError(NetlistFault::syntax, line.place, "",
                       "expected an element or a directive, got '" + std::string(text.substr(0, 40)) + "'.");
  }
  next_ = 1;
}

void NetlistStatement::split() {
  const std::string_view text = line_.text;
  std::size_t place = text.find_first_not_of(separators);
  while (place < text.size()) {
    const char c = text[place];
    if (c == '=') {
      add(NetlistToken::Kind::equals, place, place + 1);
    } else if (c == '(') {
      add(NetlistToken::Kind::open, place, place + 1);
    } else if (c == ')') {
      add(NetlistToken::Kind::close, place, place + 1);
    } else if (c == '{') {
      add(NetlistToken::Kind::expression, place, closing(place, '}') + 1, 1);
    } else if (c == '\'') {
      add(NetlistToken::Kind::expression, place, closing(place, '\'') + 1, 1);
    } else if (c == '"') {
      add(NetlistToken::Kind::quoted, place, closing(place, '"') + 1, 1);
    } else {
      const std::size_t end = std::min(text.find_first_of(endsOfWords, place), text.size());
      if (end == place) throw NetlistError(NetlistFault::syntax, line_.placeOf(place), element_, "'}' closes nothing.");
      add(NetlistToken::Kind::word, place, end);
    }
    place = text.find_first_not_of(separators, tokens_.back().end);
  }
}

std::size_t NetlistStatement::closing(std::size_t open, char mark) const {
  const std::size_t found = line_.text.find(mark, open + 1);
  if (found != std::string::npos) return found;
  throw NetlistError(NetlistFault::syntax, line_.placeOf(open), element_,
                     std::string("nothing closes '") + line_.text[open] + "'.");
}

void NetlistStatement::add(NetlistToken::Kind kind, std::size_t begin, std::size_t end, std::size_t border) {
  const std::string_view text = line_.text;
  tokens_.push_back({kind, text.substr(begin + border, end - begin - 2 * border), begin, end});
}

const NetlistToken& NetlistStatement::peek(std::size_t ahead) const {
  return ahead < left() ? tokens_[next_ + ahead] : none_;
}

const NetlistToken& NetlistStatement::take(std::string_view what) {
  if (atEnd()) fail(NetlistFault::wrongCount, "expected " + std::string(what) + ", got the end of the statement.");
  return tokens_[next_++];
}

std::string_view NetlistStatement::word(std::string_view what) {
  const NetlistToken& token = take(what);
  if (token.kind == NetlistToken::Kind::word) return token.text;
  fail(NetlistFault::syntax, "expected " + std::string(what) + ", got " + quotedPiece(token) + ".");
}

bool NetlistStatement::takeWord(std::string_view lower) {
  if (atEnd() || peek().kind != NetlistToken::Kind::word || inLowerCase(peek().text) != lower) return false;
  ++next_;
  return true;
}

bool NetlistStatement::takeKind(NetlistToken::Kind kind) {
  if (atEnd() || peek().kind != kind) return false;
  ++next_;
  return true;
}

void NetlistStatement::expect(NetlistToken::Kind kind, std::string_view what) {
  if (takeKind(kind)) return;
  if (atEnd()) fail(NetlistFault::wrongCount, "expected " + std::string(what) + ", got the end of the statement.");
  ++next_;
  fail(NetlistFault::syntax, "expected " + std::string(what) + ", got " + quotedPiece(tokens_[next_ - 1]) + ".");
}

bool NetlistStatement::atAssignment() const {
  return left() >= 2 && peek().kind == NetlistToken::Kind::word && peek(1).kind == NetlistToken::Kind::equals;
}

std::string_view NetlistStatement::expression(std::string_view what) {
  const NetlistToken first = take(what);
  if (first.kind == NetlistToken::Kind::expression || first.kind == NetlistToken::Kind::quoted) return first.text;
  if (first.kind == NetlistToken::Kind::equals || first.kind == NetlistToken::Kind::close) {
    fail(NetlistFault::syntax, "expected " + std::string(what) + ", got " + quotedPiece(first) + ".");
  }
  std::size_t depth = first.kind == NetlistToken::Kind::open ? 1 : 0;
  std::size_t end = first.end;
  while (!atEnd() && (depth > 0 || peek().begin == end)) {
    const NetlistToken& token = peek();
    if (depth == 0 && token.kind != NetlistToken::Kind::open && token.kind != NetlistToken::Kind::word) break;
    if (token.kind == NetlistToken::Kind::open) ++depth;
    if (token.kind == NetlistToken::Kind::close) --depth;
    end = token.end;
    ++next_;
  }
  return std::string_view(line_.text).substr(first.begin, end - first.begin);
}

std::string_view NetlistStatement::textOf(std::size_t count) const {
  if (count == 0) return {};
  const std::size_t begin = peek().begin;
  return std::string_view(line_.text).substr(begin, peek(count - 1).end - begin);
}

void NetlistStatement::requireEnd() const {
  if (atEnd()) return;
  throw NetlistError(NetlistFault::wrongCount, line_.placeOf(peek().begin), element_,
                     "expected the end of the statement, got " + quotedPiece(peek()) + ".");
}

NetlistPlace NetlistStatement::place() const {
  const std::size_t last = next_ == 0 ? 0 : next_ - 1;
  return line_.placeOf(last < tokens_.size() ? tokens_[last].begin : 0);
}

void NetlistStatement::fail(NetlistFault fault, const std::string& what) const {
  throw NetlistError(fault, place(), element_, what);
}

}  // namespace delassus
