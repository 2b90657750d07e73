// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/io/ProblemFile.hpp>
#include <string>
#include <string_view>

namespace delassus::numerics {

/// The problem in a text of a class that is known. Throws Error starting with `name`.
AnyProblem parseText(std::string_view content, const std::string& name, ProblemClass problemClass);

/// The problem in a text whose class is found as readProblem() says.
AnyProblem parseText(std::string_view content, const std::string& name);

}  // namespace delassus::numerics
