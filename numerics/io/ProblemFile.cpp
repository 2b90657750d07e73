// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/ProblemFile.hpp>

#include <algorithm>
#include <array>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/Fclib.hpp>
#include <delassus/numerics/io/FileContent.hpp>
#include <delassus/numerics/io/Recognition.hpp>
#include <delassus/numerics/io/TextProblems.hpp>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr std::array<std::string_view, 8> classNames{
    "lcp", "mlcp", "relay", "friction", "global_friction", "mechanical", "rolling", "second_order"};

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
                               [](const GenericMechanicalProblem&) -> std::string_view { return "mechanical"; }},
                    problem);
}

std::size_t sizeOf(const AnyProblem& problem) {
  return std::visit(Overloaded{[](const GlobalFrictionContactProblem& p) { return p.degreesOfFreedom() + p.size(); },
                               [](const auto& p) { return p.size(); }},
                    problem);
}

std::size_t contactsOf(const AnyProblem& problem) {
  return std::visit(
      Overloaded{[](const FrictionContactProblem& p) { return p.contacts(); },
                 [](const GlobalFrictionContactProblem& p) { return p.contacts(); },
                 [](const GenericMechanicalProblem& p) {
                   return static_cast<std::size_t>(std::count_if(
                       p.parts().begin(), p.parts().end(), [](const Part& part) { return part.set->isContact(); }));
                 },
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

void writeProblem(const std::filesystem::path& path, const AnyProblem& problem, FileFormat format,
                  TextStorage storage) {
  if (format == FileFormat::text) {
    writeContent(path, std::visit([&](const auto& p) { return textOf(p, storage); }, problem));
    return;
  }
  std::visit(Overloaded{[&](const FrictionContactProblem& p) { writeFclib(path, p); },
                        [&](const GlobalFrictionContactProblem& p) { writeFclib(path, p); },
                        [&](const auto&) {
                          throw Error(path.string(),
                                      "expected a friction contact problem for the format FCLIB, got a "
                                      "problem of class " +
                                          std::string(classNameOf(problem)) + ".");
                        }},
             problem);
}

}  // namespace delassus::numerics
