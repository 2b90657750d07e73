// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <filesystem>
#include <string>

namespace delassus {

/// The model as text: systems with dimensions, parameters and states; interactions with laws, relations, the systems
/// and interactions that they are linked to, outputs y and multipliers λ as they are; index sets. `most` systems and
/// interactions are described, the rest is counted.
///
///     std::cout << describe(model);
std::string describe(const NonSmoothDynamicalSystem& model, std::size_t most = 100);

/// The model as a graph in the language of Graphviz: systems as boxes, interactions as ellipses, those of I₁ (active)
/// filled, an edge for each coupling.
std::string graphvizOf(const NonSmoothDynamicalSystem& model);

/// The same in a file, which gets its final name once it is complete: `dot -Tsvg model.dot -o model.svg`. Throws Error
/// if it cannot be written.
void writeGraphviz(const NonSmoothDynamicalSystem& model, const std::filesystem::path& path);

}  // namespace delassus
