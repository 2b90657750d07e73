// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/rotations/Twists.hpp>

#include <delassus/kernel/rotations/Rotation.hpp>

namespace delassus::rotations {

void alongTwists(const Matrix& byQ, const Vector& q, Matrix& byTwist) {
  const std::size_t rows = byQ.size1();
  for (std::size_t body = 0; 7 * body < q.size(); ++body) {
    const double* const p = data(q) + 7 * body + 3;
    const Matrix43 turns = rates({p[0], p[1], p[2], p[3]});
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        byTwist(i, 6 * body + j) = byQ(i, 7 * body + j);
        double sum = 0.;
        for (std::size_t k = 0; k < 4; ++k) sum += byQ(i, 7 * body + 3 + k) * turns[k + 4 * j];
        byTwist(i, 6 * body + 3 + j) = sum;
      }
    }
  }
}

}  // namespace delassus::rotations
