// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <petscsys.h>

#include <delassus/numerics/Error.hpp>

namespace delassus::distributed {

/// Throws Error with what PETSc says of an error code that is not zero.
inline void require(PetscErrorCode code) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw Error("PETSc", text != nullptr ? std::string(text) + "." : "error " + std::to_string(code) + ".");
}

}  // namespace delassus::distributed
