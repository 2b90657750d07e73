// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/ProblemFile.hpp>

#include <algorithm>
#include <array>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/Fclib.hpp>
#include <delassus/numerics/io/TextProblems.hpp>
#include <delassus/numerics/io/TextReader.hpp>
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

constexpr std::array<Candidate, 8> candidates{{{ProblemClass::mlcp, any, ""},
                                               {ProblemClass::globalFriction, any, ""},
                                               {ProblemClass::relay, any, ""},
                                               {ProblemClass::friction, 1, "a global friction problem"},
                                               {ProblemClass::lcp, 0, "a relay problem"},
                                               {ProblemClass::rolling, any, ""},
                                               {ProblemClass::secondOrder, any, ""},
                                               {ProblemClass::typedParts, 0, "a problem of another class"}}};

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
    case ProblemClass::globalMechanical:
      return readGlobalMechanicalText(reader);
    case ProblemClass::rolling:
      return readRollingText(reader);
    case ProblemClass::secondOrder:
      return readSecondOrderText(reader);
    case ProblemClass::typedParts:
      return readTypedPartsText(reader);
    case ProblemClass::plasticity:
      return readPlasticityText(reader);
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

// Whether the coefficients of friction are followed by as many numbers: then they are strengths, and the numbers
// dilatancies. A single number may follow any problem of friction.
bool isPlasticity(const AnyProblem& read, std::size_t numbersAfter) {
  const auto* const problem = std::get_if<FrictionContactProblem>(&read);
  return problem != nullptr && problem->dimension() == 3 && problem->contacts() > 1 &&
         numbersAfter == problem->contacts();
}

// The class that a text names, if it does.
std::optional<ProblemClass> classSaid(std::string_view content) {
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return std::nullopt;
  for (const ProblemClass problemClass : {ProblemClass::mechanical, ProblemClass::globalMechanical}) {
    if (content.substr(first).starts_with(toString(problemClass))) return problemClass;
  }
  return std::nullopt;
}

// What a class makes of a text.
struct Attempt {
  ProblemClass problemClass = ProblemClass::lcp;
  std::optional<AnyProblem> problem;
  std::size_t numbersAfter = any;
  std::size_t bytesRead = 0;
  std::string message;
};

Attempt attempt(const Candidate& candidate, std::string_view content, const std::string& name) {
  Attempt result;
  result.problemClass = candidate.problemClass;
  TextReader reader(content, name);
  try {
    AnyProblem problem = readText(reader, candidate.problemClass);
    result.bytesRead = content.size();
    result.numbersAfter = reader.numbersLeft();
    const bool isPlastic = isPlasticity(problem, result.numbersAfter);
    if (mayBeCutInH(problem)) {
      result.message = name +
                       ": this may be a problem of class friction, or a global friction problem cut off in H. Give "
                       "the class if it is complete.";
    } else if (isPlastic) {
      result.problemClass = ProblemClass::plasticity;
      result.problem = parseText(content, name, ProblemClass::plasticity);
      result.numbersAfter = 0;
    } else if (result.numbersAfter <= candidate.numbersAllowedAfter) {
      result.problem = std::move(problem);
    } else {
      result.message = name + ": this may be a problem of class " + std::string(toString(candidate.problemClass)) +
                       " followed by " + std::to_string(result.numbersAfter) + " numbers, or " + candidate.otherwise +
                       " cut off. Give the class if it is complete.";
    }
  } catch (const Error& error) {
    // Where the same numbers were read twice, all of them are read.
    if (result.bytesRead == 0) result.bytesRead = reader.position();
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
  if (const std::optional<ProblemClass> said = classSaid(content)) return parseText(content, name, *said);
  Attempt best;
  Attempt nearest;
  std::string nearestClasses;
  for (const Candidate& candidate : candidates) {
    Attempt result = attempt(candidate, content, name);
    if (result.problem) {
      if (!best.problem || result.numbersAfter < best.numbersAfter) best = std::move(result);
    } else if (nearestClasses.empty() || result.bytesRead > nearest.bytesRead) {
      nearest = std::move(result);
      nearestClasses = toString(nearest.problemClass);
    } else if (result.bytesRead == nearest.bytesRead) {
      nearestClasses += ", " + std::string(toString(result.problemClass));
    }
  }
  if (!best.problem) throw Error(explained(nearest.message, nearestClasses, name));
  return std::move(*best.problem);
}

namespace {

constexpr std::array<std::string_view, 11> classNames{
    "lcp",     "mlcp",         "relay",       "friction",  "global_friction", "mechanical", "global_mechanical",
    "rolling", "second_order", "typed_parts", "plasticity"};

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

template <class Problem>
Problem take(ProblemFile file) {
  return std::get<Problem>(std::move(file.problem));
}

std::size_t contactsAmong(const std::vector<Part>& parts) {
  return static_cast<std::size_t>(
      std::count_if(parts.begin(), parts.end(), [](const Part& part) { return part.set->isContact(); }));
}

void requireClass(const AnyProblem& problem, ProblemClass expected, const std::string& name) {
  if (problem.index() == static_cast<std::size_t>(expected)) return;
  throw Error(name, "expected a problem of class " + std::string(toString(expected)) + ", got one of class " +
                        std::string(classNames[problem.index()]) + ".");
}

}  // namespace

std::string_view toString(ProblemClass problemClass) {
  return classNames[static_cast<std::size_t>(problemClass)];
}

ProblemClass problemClassNamed(std::string_view name) {
  std::string names;
  for (std::size_t i = 0; i < classNames.size(); ++i) {
    if (classNames[i] == name) return static_cast<ProblemClass>(i);
    names += (i == 0 ? "" : ", ") + std::string(classNames[i]);
  }
  throw Error("problem class", "expected one of " + names + ", got '" + std::string(name) + "'.");
}

FileFormat formatFor(const std::filesystem::path& path) {
  return path.extension() == ".hdf5" || path.extension() == ".h5" ? FileFormat::fclib : FileFormat::text;
}

std::string_view classNameOf(const AnyProblem& problem) {
  return std::visit(Overloaded{[](const LinearComplementarityProblem&) -> std::string_view { return "lcp"; },
                               [](const MixedLinearComplementarityProblem&) -> std::string_view { return "mlcp"; },
                               [](const RelayProblem&) -> std::string_view { return "relay"; },
                               [](const FrictionContactProblem& p) -> std::string_view {
                                 return p.dimension() == 2 ? "friction_2d" : "friction_3d";
                               },
                               [](const GlobalFrictionContactProblem& p) -> std::string_view {
                                 return p.dimension() == 2 ? "global_friction_2d" : "global_friction_3d";
                               },
                               [](const GenericMechanicalProblem&) -> std::string_view { return "mechanical"; },
                               [](const GlobalMechanicalProblem&) -> std::string_view { return "global_mechanical"; }},
                    problem);
}

std::size_t sizeOf(const AnyProblem& problem) {
  return std::visit(Overloaded{[](const GlobalFrictionContactProblem& p) { return p.degreesOfFreedom() + p.size(); },
                               [](const GlobalMechanicalProblem& p) { return p.degreesOfFreedom() + p.size(); },
                               [](const auto& p) { return p.size(); }},
                    problem);
}

std::size_t contactsOf(const AnyProblem& problem) {
  return std::visit(Overloaded{[](const FrictionContactProblem& p) { return p.contacts(); },
                               [](const GlobalFrictionContactProblem& p) { return p.contacts(); },
                               [](const GenericMechanicalProblem& p) { return contactsAmong(p.parts()); },
                               [](const GlobalMechanicalProblem& p) { return contactsAmong(p.parts()); },
                               [](const auto&) { return std::size_t{0}; }},
                    problem);
}

ProblemFile parseProblem(std::string_view content, const std::string& name) {
  if (isHdf5(content)) return parseFclib(content, name);
  return {parseText(content, name), FileFormat::text, {}, {}};
}

ProblemFile parseProblem(std::string_view content, const std::string& name, ProblemClass problemClass) {
  if (!isHdf5(content)) return {parseText(content, name, problemClass), FileFormat::text, {}, {}};
  ProblemFile file = parseFclib(content, name);
  requireClass(file.problem, problemClass, name);
  return file;
}

ProblemFile readProblem(const std::filesystem::path& path) {
  return parseProblem(readContent(path), path.string());
}

ProblemFile readProblem(const std::filesystem::path& path, ProblemClass problemClass) {
  return parseProblem(readContent(path), path.string(), problemClass);
}

LinearComplementarityProblem readLcp(const std::filesystem::path& path) {
  return take<LinearComplementarityProblem>(readProblem(path, ProblemClass::lcp));
}

MixedLinearComplementarityProblem readMlcp(const std::filesystem::path& path) {
  return take<MixedLinearComplementarityProblem>(readProblem(path, ProblemClass::mlcp));
}

RelayProblem readRelay(const std::filesystem::path& path) {
  return take<RelayProblem>(readProblem(path, ProblemClass::relay));
}

FrictionContactProblem readFriction(const std::filesystem::path& path) {
  return take<FrictionContactProblem>(readProblem(path, ProblemClass::friction));
}

GlobalFrictionContactProblem readGlobalFriction(const std::filesystem::path& path) {
  return take<GlobalFrictionContactProblem>(readProblem(path, ProblemClass::globalFriction));
}

GenericMechanicalProblem readMechanical(const std::filesystem::path& path) {
  return take<GenericMechanicalProblem>(readProblem(path, ProblemClass::mechanical));
}

GlobalMechanicalProblem readGlobalMechanical(const std::filesystem::path& path) {
  return take<GlobalMechanicalProblem>(readProblem(path, ProblemClass::globalMechanical));
}

void writeProblem(const std::filesystem::path& path, const AnyProblem& problem, FileFormat format,
                  TextStorage storage) {
  if (format == FileFormat::text) {
    writeContent(path, std::visit([&](const auto& p) { return textOf(p, storage); }, problem));
    return;
  }
  std::visit(Overloaded{[&](const FrictionContactProblem& p) { writeFclib(path, p); },
                        [&](const GlobalFrictionContactProblem& p) { writeFclib(path, p); },
                        [&](const GlobalMechanicalProblem& p) { writeFclib(path, p); },
                        [&](const auto&) {
                          throw Error(path.string(),
                                      "expected a friction contact problem for the format FCLIB, got a "
                                      "problem of class " +
                                          std::string(classNameOf(problem)) + ".");
                        }},
             problem);
}

}  // namespace delassus::numerics
