// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Error.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace delassus {

/// What is wrong with a netlist.
enum class NetlistFault {
  syntax,            ///< a statement that cannot be read
  number,            ///< a word that is no number
  expression,        ///< an expression that cannot be read or has no finite value
  divisionByZero,    ///< an expression that divides by zero
  unknownParameter,  ///< a parameter that nothing defines
  unknownElement,    ///< a letter or a statement that the subset does not have
  unknownName,       ///< an element or a node that is referred to and is not there
  missingModel,      ///< a model or subcircuit that nothing defines
  wrongCount,        ///< too few or too many nodes or values
  badValue,          ///< a value that the element does not take
  duplicate,         ///< a name that is defined twice
  recursion,         ///< a subcircuit, a parameter or a file that contains itself
  unsupported,       ///< what SPICE has and the subset does not
  limit,             ///< more than NetlistLimits allows
  file,              ///< a file that cannot be read
  circuit            ///< a circuit without a solution: a loop of sources, a node at one element, …
};

/// The fault in words: "division by zero".
std::string_view toText(NetlistFault fault);

/// Where a statement stands.
struct NetlistPlace {
  std::shared_ptr<const std::string> file;  ///< as it was named to the reader or by `.include`
  std::size_t line = 0;                     ///< counted from 1; 0: the file as a whole

  /// "rectifier.cir:12".
  std::string text() const;
};

/// The error of everything that is wrong with a netlist. The message is "FILE:LINE: ELEMENT: what was expected and what
/// came."
class NetlistError : public Error {
 public:
  /// `element`: the name of the element or of the statement, empty where there is none.
  NetlistError(NetlistFault fault, NetlistPlace place, std::string element, const std::string& what);

  /// What kind of fault it is.
  NetlistFault fault() const { return fault_; }
  /// File and line.
  const NetlistPlace& place() const { return place_; }
  /// The element with the path of its subcircuit ("X1.R3"), or the statement (".tran").
  const std::string& element() const { return element_; }

 private:
  NetlistFault fault_;
  NetlistPlace place_;
  std::string element_;
};

}  // namespace delassus
