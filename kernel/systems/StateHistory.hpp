// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

/// The last accepted states (t, q, v) of a system before the present one, in a ring of fixed depth that
/// does not allocate when it is pushed to.
class StateHistory {
 public:
  struct State {
    double time = 0.;
    Vector q;
    Vector v;
  };

  explicit StateHistory(std::size_t depth = 1) : ring_(depth) {}

  std::size_t depth() const { return ring_.size(); }
  /// Number of states held; at most depth().
  std::size_t size() const { return size_; }
  /// The state `stepsBack` steps before the present one (1: the previous one); throws Error if it is
  /// not held (any more).
  const State& at(std::size_t stepsBack) const;

  void push(double time, const Vector& q, const Vector& v);
  void clear() { size_ = 0; }

 private:
  std::vector<State> ring_;
  std::size_t size_ = 0;
  std::size_t newest_ = 0;
};

}  // namespace delassus
