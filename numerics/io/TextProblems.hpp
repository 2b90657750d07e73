// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/io/TextMatrix.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/GlobalMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <string>

namespace delassus::numerics {

// The text format of each class. Each reads its problem and leaves the reader behind its data; an Error names the line.

/// `n M q`.
LinearComplementarityProblem readLcpText(TextReader& reader);
/// Two flags (mixed rows there, blocks there), `n m`; the mixed rows: ends of the runs of equal rows from 0 to n + m, a
/// kind each (1: complementarity, 0: equality), M, q; the blocks: A (n x n), B (m x m), C (n x m), D (m x n) row by
/// row, a, b. Where both are there they must agree, to the 6 digits with which some programs print. Where both are
/// there and M has n + m columns, but more rows than the n + m that q can fill, the problem is that of the blocks; each
/// row of M must then be a row of the blocks or its negative (q too, where the row has an entry of q), and each row of
/// the blocks must be one of M. Throws Error where they are not.
MixedLinearComplementarityProblem readMlcpText(TextReader& reader);
/// `n M q l u`; bounds may be inf or -inf.
RelayProblem readRelayText(TextReader& reader);
/// `d n W q μ`.
FrictionContactProblem readFrictionText(TextReader& reader);
/// `d n M H f b μ`.
GlobalFrictionContactProblem readGlobalFrictionText(TextReader& reader);
/// The word `mechanical`, the number of parts; for each its kind (equality, box, coulomb or rolling), rows, μ and μ_R;
/// the number of rows n, W, q, l and u (bounds may be inf or -inf; those of the boxes count).
GenericMechanicalProblem readMechanicalText(TextReader& reader);
/// The word `global_mechanical`, the parts in the same way, M, H, f, b, l and u.
GlobalMechanicalProblem readGlobalMechanicalText(TextReader& reader);

/// `5 n W q μ μ_R`: contacts with rolling friction in space, as GenericMechanicalProblem.
GenericMechanicalProblem readRollingText(TextReader& reader);
/// `n p M q`, the rows where the p cones begin and the last ends (0 … n), their apertures: a SecondOrderConeProblem.
GenericMechanicalProblem readSecondOrderText(TextReader& reader);
/// `M q`, M in blocks (storage 1), and for each diagonal block, which is a part, a type number with its data: 0 LCP, 2
/// equality, 3 contact in 2D (μ), 4 contact in 3D (μ), 9 relay (lower bounds, upper bounds). Throws Error for 1, an
/// MLCP, and for a contact whose block has other than 2 or 3 rows.
GenericMechanicalProblem readTypedPartsText(TextReader& reader);
/// `3 n W q η θ`: n points of a material in the plane that yields by Mohr and Coulomb, with strength η and dilatancy θ:
///
///     K_η* ∋ w + ((η − θ) ‖w_T‖, 0, 0) ⟂ λ ∈ K_η = { ‖λ_T‖ ≤ η λ_N }.
///
/// θ = 0 is Coulomb's law (Part::coulomb), θ = η the associated law (Part::associated). Throws Error for any other θ.
GenericMechanicalProblem readPlasticityText(TextReader& reader);

/// The problem as text, that reads back to the same problem to the bit. An MLCP is written by mixed rows; an operator W
/// that is not a matrix is assembled.
///@{
std::string textOf(const LinearComplementarityProblem& problem, TextStorage storage);
std::string textOf(const MixedLinearComplementarityProblem& problem, TextStorage storage);
std::string textOf(const RelayProblem& problem, TextStorage storage);
std::string textOf(const FrictionContactProblem& problem, TextStorage storage);
std::string textOf(const GlobalFrictionContactProblem& problem, TextStorage storage);
std::string textOf(const GenericMechanicalProblem& problem, TextStorage storage);
std::string textOf(const GlobalMechanicalProblem& problem, TextStorage storage);
///@}

/// Appends the entries of a vector and the end of the line.
void appendVector(const Vector& v, std::string& text);

}  // namespace delassus::numerics
