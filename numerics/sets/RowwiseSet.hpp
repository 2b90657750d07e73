// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/sets/ConvexSet.hpp>

namespace delassus::numerics {

/// A set whose rows obey their law one by one: d_i = W_ii, c_i = 1.
class RowwiseSet : public ConvexSet {
 public:
  void scales(const double* block, std::size_t rows, double* d, double* c) const final;
  double roundingSquared(const ResidualRows<double>& rows, const double* bounds) const final;

 protected:
  /// With what methods may know of it without a call.
  explicit RowwiseSet(const Traits& traits) : ConvexSet(traits) {}
};

}  // namespace delassus::numerics
