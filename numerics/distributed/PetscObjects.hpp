// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <petscmat.h>
#include <petscsys.h>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/distributed/Ranks.hpp>
#include <utility>

namespace delassus::distributed {

/// Throws Error with what PETSc says of an error code that is not zero.
inline void require(PetscErrorCode code) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw Error("PETSc", text != nullptr ? std::string(text) + "." : "error " + std::to_string(code) + ".");
}

/// Owns an object of PETSc.
template <class Object, PetscErrorCode (*destroy)(Object*)>
class PetscOwner {
 public:
  PetscOwner() = default;
  PetscOwner(const PetscOwner&) = delete;
  /// Takes the object.
  PetscOwner(PetscOwner&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  PetscOwner& operator=(const PetscOwner&) = delete;
  /// Swaps the objects.
  PetscOwner& operator=(PetscOwner&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~PetscOwner() { destroy(&object_); }

  /// Null without an object.
  Object get() const { return object_; }
  /// For functions that create the object.
  Object* put() { return &object_; }

 protected:
  Object object_ = nullptr;  ///< owned
};

/// A set of indices.
using IndexSet = PetscOwner<IS, ISDestroy>;

/// A matrix by rows over the ranks.
class PetscMatrix : public PetscOwner<Mat, MatDestroy> {
 public:
  PetscMatrix() = default;
  /// Of a type, with these rows and columns of this rank.
  PetscMatrix(const Ranks& ranks, PetscInt ownRows, PetscInt ownColumns, MatType type) {
    require(MatCreate(ranks.communicator(), put()));
    require(MatSetSizes(get(), ownRows, ownColumns, PETSC_DETERMINE, PETSC_DETERMINE));
    require(MatSetType(get(), type));
    require(MatSetUp(get()));
  }
};

}  // namespace delassus::distributed
