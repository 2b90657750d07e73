// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/NetlistText.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

/// A piece of a statement.
struct NetlistToken {
  /// A word; `=`; a parenthesis; the inside of braces or single quotes; the inside of double quotes.
  enum class Kind { word, equals, open, close, expression, quoted };
  Kind kind = Kind::word;  ///< what it is
  std::string_view text;   ///< without quotes
  std::size_t begin = 0;   ///< in the text of the line
  std::size_t end = 0;     ///< behind it
};

/// Reads a statement piece by piece. Blanks and commas separate pieces.
class NetlistStatement {
 public:
  /// Takes the pieces of `line`, which must outlive the statement. Errors name `path` + the first word.
  explicit NetlistStatement(const NetlistLine& line, std::string_view path = {});

  /// The first word: an element's name, or a directive.
  std::string_view head() const { return head_; }
  /// The first word after its path.
  const std::string& element() const { return element_; }

  /// True where no piece is left.
  bool atEnd() const { return next_ == tokens_.size(); }
  /// Pieces that are left.
  std::size_t left() const { return tokens_.size() - next_; }
  /// The next piece; after the last one an empty word.
  const NetlistToken& peek(std::size_t ahead = 0) const;
  /// The next piece, which is behind the statement then. Throws Error naming `what` where there is none.
  const NetlistToken& take(std::string_view what);
  /// The next word. Throws Error naming `what` where the next piece is none.
  std::string_view word(std::string_view what);
  /// True, and behind it, where the next piece is this word, in lower case.
  bool takeWord(std::string_view lower);
  /// True, and behind it, where the next piece is of this kind.
  bool takeKind(NetlistToken::Kind kind);
  /// Throws Error where the next piece is not of this kind, which `what` names.
  void expect(NetlistToken::Kind kind, std::string_view what);
  /// True where the next pieces are a word and `=`.
  bool atAssignment() const;
  /// The text of an expression: braces, quotes, or what stands together without a blank, with what is in parentheses.
  std::string_view expression(std::string_view what);
  /// The text from the next piece up to the one that is `count` pieces further.
  std::string_view textOf(std::size_t count) const;
  /// Goes `count` pieces further.
  void skip(std::size_t count) { next_ += count; }
  /// Throws Error where something is left.
  void requireEnd() const;

  /// The place of the piece that was read last.
  NetlistPlace place() const;
  /// Throws NetlistError there.
  [[noreturn]] void fail(NetlistFault fault, const std::string& what) const;

 private:
  void split();
  std::size_t closing(std::size_t open, char mark) const;
  void add(NetlistToken::Kind kind, std::size_t begin, std::size_t end, std::size_t border = 0);

  const NetlistLine& line_;
  std::string_view head_;
  std::string element_;
  std::vector<NetlistToken> tokens_;
  NetlistToken none_;
  std::size_t next_ = 0;
};

}  // namespace delassus
