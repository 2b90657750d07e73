// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
class Validator;
}  // namespace CLI

/// Limits of the magnitude of a number on the command line, except 0. Quantities in SI units lie far inside, and
/// products of three of them are still finite numbers that are not 0.
constexpr double smallestMagnitude = 1e-60;
constexpr double largestMagnitude = 1e60;  ///< see smallestMagnitude

/// Checks for CLI::Option::check, with messages that name the option and what came.
CLI::Validator positiveNumber();
CLI::Validator notNegativeNumber();                             ///< see positiveNumber()
CLI::Validator numberBetween(double smallest, double largest);  ///< see positiveNumber(); the limits are allowed

/// Makes every option of `app` that takes real numbers refuse values that are not finite and magnitudes beyond the
/// limits. To be called when all options are there. (The range checks of CLI11 alone let NaN pass: it is neither below
/// nor above.)
void checkNumbers(CLI::App& app);
