// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace delassus::numerics {

/// Part of the scale of a number below which its sign is not known: two to three digits above rounding.
inline constexpr double signTolerance = 1e-13;

}  // namespace delassus::numerics
