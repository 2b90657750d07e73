// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/Recognition.hpp>

#include <array>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/TextProblems.hpp>
#include <limits>
#include <optional>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

// How a class takes part in the search. If more numbers were allowed after an LCP or local friction problem, a
// truncated relay or global problem would be taken for one.
struct Candidate {
  ProblemClass problemClass;
  std::size_t numbersAllowedAfter;
  const char* otherwise;
};

constexpr std::array<Candidate, 7> candidates{{{ProblemClass::mlcp, any, ""},
                                               {ProblemClass::globalFriction, any, ""},
                                               {ProblemClass::relay, any, ""},
                                               {ProblemClass::friction, 1, "a global friction problem"},
                                               {ProblemClass::lcp, 0, "a relay problem"},
                                               {ProblemClass::rolling, any, ""},
                                               {ProblemClass::secondOrder, any, ""}}};

AnyProblem readText(TextReader& reader, ProblemClass problemClass) {
  switch (problemClass) {
    case ProblemClass::lcp:
      return readLcpText(reader);
    case ProblemClass::mlcp:
      return readMlcpText(reader);
    case ProblemClass::relay:
      return readRelayText(reader);
    case ProblemClass::friction:
      return readFrictionText(reader);
    case ProblemClass::globalFriction:
      return readGlobalFrictionText(reader);
    case ProblemClass::mechanical:
      return readMechanicalText(reader);
    case ProblemClass::rolling:
      return readRollingText(reader);
    case ProblemClass::secondOrder:
      return readSecondOrderText(reader);
  }
  throw Error("readProblem", "expected a class of problems.");
}

// Whether the text after W reads as the `storage m dn` of a matrix H, so that this may be a global problem truncated in
// H.
bool mayBeCutInH(const AnyProblem& read) {
  const auto* const problem = std::get_if<FrictionContactProblem>(&read);
  if (problem == nullptr || problem->size() == 0) return false;
  const auto size = static_cast<double>(problem->size());
  const double storage = problem->q()(0);
  const double columns = problem->size() > 2 ? problem->q()(2) : problem->mu()(0);
  return (storage == 0. || storage == 1. || storage == 2.) && problem->q()(1) == size && columns == size;
}

// The only class that a text names.
bool saysMechanical(std::string_view content) {
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && content.substr(first).starts_with("mechanical");
}

// What a class makes of a text.
struct Attempt {
  std::optional<AnyProblem> problem;
  std::size_t numbersAfter = any;
  std::size_t bytesRead = 0;
  std::string message;
};

Attempt attempt(const Candidate& candidate, std::string_view content, const std::string& name) {
  Attempt result;
  TextReader reader(content, name);
  try {
    AnyProblem problem = readText(reader, candidate.problemClass);
    result.bytesRead = content.size();
    result.numbersAfter = reader.numbersLeft();
    if (mayBeCutInH(problem)) {
      result.message = name +
                       ": this may be a problem of class friction, or a global friction problem cut off in H. Give "
                       "the class if it is complete.";
    } else if (result.numbersAfter <= candidate.numbersAllowedAfter) {
      result.problem = std::move(problem);
    } else {
      result.message = name + ": this may be a problem of class " + std::string(toString(candidate.problemClass)) +
                       " followed by " + std::to_string(result.numbersAfter) + " numbers, or " + candidate.otherwise +
                       " cut off. Give the class if it is complete.";
    }
  } catch (const Error& error) {
    result.bytesRead = reader.position();
    result.message = error.what();
  }
  return result;
}

// The message of the class that reads most of the text, or the first of several.
std::string explained(const std::string& message, const std::string& classes, const std::string& name) {
  const std::string start = message.starts_with(name) ? message : name + ": " + message;
  const std::size_t comma = classes.find(", ");
  if (comma == std::string::npos)
    return start + " (Read as class " + classes + ", which fits best; no class fits completely.)";
  return start + " (Read as class " + classes.substr(0, comma) + "; no class fits completely, and " + classes +
         " fit as far. Give the class to learn more.)";
}

}  // namespace

AnyProblem parseText(std::string_view content, const std::string& name, ProblemClass problemClass) {
  TextReader reader(content, name);
  try {
    return readText(reader, problemClass);
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(message.starts_with(name) ? message : name + ": " + message);
  }
}

AnyProblem parseText(std::string_view content, const std::string& name) {
  if (saysMechanical(content)) return parseText(content, name, ProblemClass::mechanical);
  Attempt best;
  Attempt nearest;
  std::string nearestClasses;
  for (const Candidate& candidate : candidates) {
    Attempt result = attempt(candidate, content, name);
    if (result.problem) {
      if (!best.problem || result.numbersAfter < best.numbersAfter) best = std::move(result);
    } else if (nearestClasses.empty() || result.bytesRead > nearest.bytesRead) {
      nearest = std::move(result);
      nearestClasses = toString(candidate.problemClass);
    } else if (result.bytesRead == nearest.bytesRead) {
      nearestClasses += ", " + std::string(toString(candidate.problemClass));
    }
  }
  if (!best.problem) throw Error(explained(nearest.message, nearestClasses, name));
  return std::move(*best.problem);
}

}  // namespace delassus::numerics
