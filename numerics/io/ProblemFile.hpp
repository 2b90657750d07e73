// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/io/TextStorage.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/GlobalMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace delassus::numerics {

/// Problem classes that files hold, first those of AnyProblem in its order.
enum class ProblemClass {
  lcp,               ///< LinearComplementarityProblem
  mlcp,              ///< MixedLinearComplementarityProblem
  relay,             ///< RelayProblem
  friction,          ///< FrictionContactProblem
  globalFriction,    ///< GlobalFrictionContactProblem
  mechanical,        ///< GenericMechanicalProblem
  globalMechanical,  ///< GlobalMechanicalProblem
  rolling,      ///< contacts with rolling friction in space: texts of other programs, read as GenericMechanicalProblem
  secondOrder,  ///< second-order cone complementarity: likewise
  typedParts,   ///< parts with type numbers, such as equalities, relays and contacts: likewise
  plasticity    ///< points of a Mohr-Coulomb material in the plane: likewise
};

/// A problem of any class that files hold.
using AnyProblem =
    std::variant<LinearComplementarityProblem, MixedLinearComplementarityProblem, RelayProblem, FrictionContactProblem,
                 GlobalFrictionContactProblem, GenericMechanicalProblem, GlobalMechanicalProblem>;

/// "lcp", "mlcp", "relay", "friction", "global_friction", "mechanical", "global_mechanical", "rolling", "second_order",
/// "typed_parts" or "plasticity".
std::string_view toString(ProblemClass problemClass);
/// Throws Error, listing the names, for any other text.
ProblemClass problemClassNamed(std::string_view name);

/// "lcp", "mlcp", "relay", "friction_2d", "friction_3d", "global_friction_2d", "global_friction_3d", "mechanical" or
/// "global_mechanical".
std::string_view classNameOf(const AnyProblem& problem);
/// Number of unknowns: of z, of the reactions, of the velocities and reactions in the global form.
std::size_t sizeOf(const AnyProblem& problem);
/// Number of contacts; 0 for classes without.
std::size_t contactsOf(const AnyProblem& problem);

/// How a file holds a problem.
enum class FileFormat {
  text,  ///< numbers separated by white space, in an order defined by the class
  fclib  ///< HDF5 in the layout of FCLIB, the friction contact library: the two friction classes only
};

/// FCLIB if the ending is .hdf5 or .h5, text otherwise.
FileFormat formatFor(const std::filesystem::path& path);

/// An answer that came with a problem. It is a start, to be checked like any other: nothing certifies it.
struct PublishedAnswer {
  std::string name;  ///< "solution" or "guesses/1"
  Vector unknown;    ///< reactions; velocities and reactions in the global form
};

/// What a file holds.
struct ProblemFile {
  AnyProblem problem;  ///< of the class that the caller gave, the file says or its text was recognised as
  FileFormat format = FileFormat::text;  ///< the one that was read
  std::string title;                     ///< of FCLIB files, else empty
  std::vector<PublishedAnswer> answers;  ///< of FCLIB files, else empty
};

/// Reads a problem and recognises its format (HDF5 by its signature) and class. A text file does not say its class:
/// each is tried in the order MLCP, global friction, relay, local friction, LCP, rolling, second order, typed parts,
/// and the class taken is the one of those whose sizes fit that leaves fewest numbers unread (the first of them where
/// two leave as many). Numbers or a comment may follow the data, but not everywhere: an LCP followed by numbers may be
/// a relay problem cut off, and local friction followed by more than one a global problem cut off; both are refused
/// unless the class is given. An LCP with 2n numbers after it, the first n not above the others, is taken as a relay
/// problem. A text of a mechanical problem begins with the word `mechanical` or `global_mechanical`. Local friction in
/// space with n > 1 contacts and exactly n numbers after it is plasticity (where n is 1, the number after it is none of
/// the problem).
///
/// Throws Error naming the file, the line or dataset, what was expected and what came. Sizes are compared with what the
/// file can hold before memory is allocated.
ProblemFile readProblem(const std::filesystem::path& path);
/// The same for a file of a known class.
ProblemFile readProblem(const std::filesystem::path& path, ProblemClass problemClass);

/// The problem of a file of this class. A text, which does not state its class, is read as this one, whatever follows
/// its data. Throws Error where that does not fit, an FCLIB file holds another class, or the file is malformed.
///@{
LinearComplementarityProblem readLcp(const std::filesystem::path& path);
MixedLinearComplementarityProblem readMlcp(const std::filesystem::path& path);
RelayProblem readRelay(const std::filesystem::path& path);
FrictionContactProblem readFriction(const std::filesystem::path& path);
GlobalFrictionContactProblem readGlobalFriction(const std::filesystem::path& path);
GenericMechanicalProblem readMechanical(const std::filesystem::path& path);
GlobalMechanicalProblem readGlobalMechanical(const std::filesystem::path& path);
///@}

/// The same for content in memory; `name` stands for the file in messages.
///@{
ProblemFile parseProblem(std::string_view content, const std::string& name);
ProblemFile parseProblem(std::string_view content, const std::string& name, ProblemClass problemClass);
///@}

/// Writes a problem that reads back the same to the bit; the file gets its final name when it is complete. `storage` is
/// for text. Throws Error if the file cannot be written, or the format cannot hold the class: FCLIB holds friction
/// contact problems, and global mechanical problems of which all parts are rolling contacts in space.
void writeProblem(const std::filesystem::path& path, const AnyProblem& problem, FileFormat format,
                  TextStorage storage = TextStorage::natural);

/// The problem in a text of a class that is known. Throws Error starting with `name`.
AnyProblem parseText(std::string_view content, const std::string& name, ProblemClass problemClass);

/// The problem in a text whose class is found as readProblem() says.
AnyProblem parseText(std::string_view content, const std::string& name);

}  // namespace delassus::numerics
