// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/distributed/Ranks.hpp>
#include <memory>
#include <vector>

namespace delassus::distributed {

/// Numbers of contacts that other ranks own, brought from there: the star forest of PETSc (PetscSF).
class GhostExchange {
 public:
  /// A contact of another rank.
  struct Ghost {
    std::size_t rank = 0;    ///< its owner
    std::size_t number = 0;  ///< among the owner's contacts
  };

  /// Collective. `own`: contacts of this rank; `ghosts`: those that it needs of others; `numbers`: of each contact.
  GhostExchange(const Ranks& ranks, std::size_t own, const std::vector<Ghost>& ghosts, std::size_t numbers);
  ~GhostExchange();
  GhostExchange(const GhostExchange&) = delete;
  GhostExchange& operator=(const GhostExchange&) = delete;

  /// Collective. ghosts := the numbers of those contacts, from the `own` of their owners.
  void bring(const double* own, double* ghosts) const;

  const std::vector<Ghost>& ghosts() const { return ghosts_; }  ///< in the order of the constructor

 private:
  struct Forest;

  std::vector<Ghost> ghosts_;
  std::unique_ptr<Forest> forest_;
};

}  // namespace delassus::distributed
