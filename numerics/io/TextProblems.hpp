// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/io/TextMatrix.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
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
/// row, a, b. Where both are there they must agree, to the 6 digits with which some programs print.
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

/// `5 n W q μ μ_R`: contacts with rolling friction in space, as GenericMechanicalProblem.
GenericMechanicalProblem readRollingText(TextReader& reader);
/// `n p M q`, the rows where the p cones begin and the last ends (0 … n), their apertures: a SecondOrderConeProblem.
GenericMechanicalProblem readSecondOrderText(TextReader& reader);

/// The problem as text, that reads back to the same problem to the bit. An MLCP is written by mixed rows; an operator W
/// that is not a matrix is assembled.
///@{
std::string textOf(const LinearComplementarityProblem& problem, TextStorage storage);
std::string textOf(const MixedLinearComplementarityProblem& problem, TextStorage storage);
std::string textOf(const RelayProblem& problem, TextStorage storage);
std::string textOf(const FrictionContactProblem& problem, TextStorage storage);
std::string textOf(const GlobalFrictionContactProblem& problem, TextStorage storage);
std::string textOf(const GenericMechanicalProblem& problem, TextStorage storage);
///@}

}  // namespace delassus::numerics
