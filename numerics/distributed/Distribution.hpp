// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/distributed/DistributedDelassus.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <memory>
#include <vector>

namespace delassus::distributed {

/// A problem of the first rank, spread over all: contacts are parted so that W couples as few of different ranks as
/// possible (PT-Scotch or ParMETIS, by PETSc). A problem in global form comes as M⁻¹ and H, distributed by rows, and W
/// = Hᵀ M⁻¹ H is their product; M must consist of blocks of at most `largestBlock` rows on its diagonal, as that of
/// rigid bodies does.
class Distribution {
 public:
  static constexpr std::size_t largestBlock = 64;  ///< rows of M that are inverted together

  /// Collective. `whole` is read on the first rank alone, and may be null elsewhere. Throws AgreedError if the problem
  /// is not valid, an M has larger blocks, or a rank would have no contact: there are too few, or PETSc has neither
  /// PT-Scotch nor ParMETIS.
  ///@{
  Distribution(const Ranks& ranks, const numerics::FrictionContactProblem* whole);
  Distribution(const Ranks& ranks, const numerics::GlobalFrictionContactProblem* whole);
  ///@}

  /// This rank's part.
  const numerics::FrictionContactProblem& problem() const { return problem_; }
  /// Its operator.
  const std::shared_ptr<const DistributedDelassus>& W() const { return W_; }
  /// Numbers in the whole problem of this rank's contacts.
  const std::vector<std::size_t>& contacts() const { return contacts_; }

  /// Collective. The vector of the whole problem, on the first rank; empty elsewhere.
  Vector gather(const Vector& part) const;

 private:
  struct Data;
  void distribute(Data& data);
  std::vector<double> scatter(const double* whole, std::size_t numbers) const;

  Ranks ranks_;
  std::vector<std::size_t> contacts_;
  std::vector<std::size_t> order_, starts_;  // on the first rank: the contacts of all, rank after rank
  std::shared_ptr<const DistributedDelassus> W_;
  numerics::FrictionContactProblem problem_;
};

}  // namespace delassus::distributed
