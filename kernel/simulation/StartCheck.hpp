// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <string>

namespace delassus {

/// Looks at a model before its first step, at t0, for what runs but is hardly meant: lets each mechanical system look
/// at itself (SecondOrderDS::checkStart), and compares the first row of each contact with friction with the others.
///
/// That row must be the gap. A relation that gives the rows in another order is a right model of another scene (a wall
/// in the place of the floor), unless its output contradicts its Jacobian: where y₀ = 0 stays zero along its own row of
/// G, while a further row has an output that is positive and moves as its row of G says, the further row is the gap.
/// Throws Error then, naming the interaction and the row. Contacts must have their outputs at t (Interaction::y).
void checkStart(const NonSmoothDynamicalSystem& model, double t);

/// The contact that is deepest in units of what it is measured by, as a clause: "the contact 'floor' is 0.05 deep, 0.08
/// of its size". Empty unless it is deeper than a hundredth of that (SecondOrderR::depthScale of the smaller body), or
/// where none is known, than a hundredth of the terms of the gap, Σ |G q|, and 25 times what the motion closes in
/// a first step of size h, h (u + h a). `u` is the approach, `a` what the forces make of it. Contacts must have their
/// outputs at t. Those of compliant relations may be deep.
std::string describeDeepStart(const NonSmoothDynamicalSystem& model, double t, double h);

}  // namespace delassus
