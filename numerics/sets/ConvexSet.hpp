// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/algebra/ProofSums.hpp>
#include <delassus/numerics/algebra/RankRevealing.hpp>
#include <delassus/numerics/sets/SetResidual.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace delassus::numerics {

class RandomGenerator;

/// A closed convex set C of multipliers: the law of one part of a problem is
///
///     −(w + s(w)) in the normal cone of C at λ,    w = W λ + q,
///
/// with De Saxcé's shift s where a set has one (contacts with friction), zero otherwise. A set says what methods,
/// certificates and proofs ask about the rows of a part; what they do with the answers does not depend on the class of
/// the set. A set of one's own derives from it, and may then be given to a Part or handed out by a law.
///
/// Methods see velocities and reactions of one size by scales d_i > 0 and c_i > 0 of the rows: c_i w_i and d_i λ_i /
/// c_i are of the same unit in a part, and their squares over d_i energies in the whole problem.
///
/// Sets do not change: one is shared by all parts that have its law, and is used by several threads.
class ConvexSet {
 public:
  virtual ~ConvexSet() = default;

  /// One word, for messages and text files: "equality", "box", "coulomb", "rolling".
  virtual std::string_view name() const = 0;
  /// The set in words, for messages: "Coulomb's cone".
  virtual std::string description() const { return "the set '" + std::string(name()) + "'"; }
  /// μ and μ_R in text files; 0 where the set has none.
  virtual std::array<double, 2> coefficients() const { return {0., 0.}; }

  /// Throws Error about part number `part` unless the set may have this many rows, 1 or more, and these bounds. Called
  /// in each solve, except of sets that are free.
  virtual void validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const = 0;

  /// What methods ask again and again, without a call.
  struct Traits {
    bool isFree = false;       ///< ℝᵐ, where w = 0: such rows may be eliminated
    bool isBox = false;        ///< a product of intervals, which have the bounds of the rows as ends
    bool isOrthant = false;    ///< λ ≥ 0, whatever the bounds of the rows
    bool couplesRows = false;  ///< whether one law couples the rows
    bool isContact = false;    ///< a contact between bodies: coupled rows, the first of them normal
  };
  /// See Traits.
  ///@{
  bool isFree() const { return traits_.isFree; }
  bool isBox() const { return traits_.isBox; }
  bool isOrthant() const { return traits_.isOrthant; }
  bool couplesRows() const { return traits_.couplesRows; }
  bool isContact() const { return traits_.isContact; }
  ///@}
  /// μ of Coulomb's cone in two or three dimensions, for methods of problems that have nothing else.
  virtual std::optional<double> coulombFriction() const { return std::nullopt; }

  /// Of a contact that pushes: the part of the friction that λ_N allows, and of the rolling resistance, that is in use,
  /// 0 to 1; a coefficient of 0 is in use as a whole, rows of rolling that are not there not at all. Nothing where the
  /// set has no friction, or does not say.
  virtual std::optional<std::array<double, 2>> usedResistance(const double* lambda, std::size_t rows) const {
    static_cast<void>(lambda), static_cast<void>(rows);
    return std::nullopt;
  }

  /// The scales of the rows. `block` is their diagonal block of W, column-major; null where it is zero.
  virtual void scales(const double* block, std::size_t rows, double* d, double* c) const = 0;

  /// The certificate: adds F, zero where the law holds, and what its rounding depends on. Shares no code with the
  /// methods.
  ///@{
  virtual void addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const = 0;
  virtual void addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const = 0;
  ///@}
  /// The square of the most by which ‖F‖ / √d may change where the w_i change by up to `bounds`, and by the rounding of
  /// F itself in double precision.
  virtual double roundingSquared(const ResidualRows<double>& rows, const double* bounds) const = 0;

  /// For proofs that there is no solution: whether the law implies yᵀw ≥ 0.
  virtual bool implies(const double* y, std::size_t rows, const double* lower, const double* upper) const = 0;
  /// Adds the largest gᵀλ of all λ in the set to `sum`; false where there is none. Sums count as zero up to the part
  /// `rounding` of their terms.
  virtual bool addLargest(const ProofSum* g, std::size_t rows, const double* lower, const double* upper,
                          double rounding, ProofSum& sum) const = 0;

  /// A part for methods.
  struct Rows {
    std::size_t count;    ///< rows
    const double* lower;  ///< their bounds of λ, which count for boxes
    const double* upper;  ///< their bounds of λ, which count for boxes
    const double* d;      ///< their scales
    const double* c;      ///< their scales
  };
  /// F, of the unit of c w, as the difference of λ and a projection, and A = ∂F/∂w and B = ∂F/∂λ of its generalised
  /// Jacobian, column-major. A and B are zero off the diagonal where couplesRows() is false, and stay untouched there.
  virtual void naturalMap(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                          double* B) const = 0;

  /// The same of the functions of Alart and Curnier, which are others for Coulomb's cone alone.
  virtual void alartCurnier(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                            double* B) const {
    naturalMap(rows, w, lambda, value, A, B);
  }

  /// ∂F/∂μ, μ = coulombFriction(), at a zero of the natural map, into `value`; false where the set has none.
  virtual bool mapByFriction(const Rows& rows, const double* w, const double* lambda, double* value) const {
    static_cast<void>(rows), static_cast<void>(w), static_cast<void>(lambda), static_cast<void>(value);
    return false;
  }

  /// The scales in which methods project: those of the rows, unless the set is nearly a half-space in them.
  virtual void scalesOfProjection(const double* block, std::size_t rows, double* d, double* c) const {
    scales(block, rows, d, c);
  }
  /// x := the point y of the set with the least Σ d_i (x_i − y_i)² / c_i², in the scales above or others that are
  /// all 1.
  virtual void project(const Rows& rows, double* x) const = 0;
  /// De Saxcé's shift: target := target + s(w), where `target` may be w. Nothing where the set has none.
  virtual void addShift(std::size_t rows, const double* w, double* target) const {
    static_cast<void>(rows), static_cast<void>(w), static_cast<void>(target);
  }
  /// A set whose shift is not zero, which concerns the first row alone, writes ∂s_1/∂w here, one entry a row, and gives
  /// true. Where a set does not say it, Newton's methods on normal maps converge more slowly.
  virtual bool shiftGradient(std::size_t rows, const double* w, double* gradient) const {
    static_cast<void>(rows), static_cast<void>(w), static_cast<void>(gradient);
    return false;
  }

  /// Of a product of intervals: writes the ends of those of the rows, given the bounds that the problem has, and gives
  /// true. False, and nothing is written, for all other sets.
  virtual bool intervals(std::size_t rows, const double* lower, const double* upper, double* least,
                         double* most) const {
    static_cast<void>(rows), static_cast<void>(lower), static_cast<void>(upper);
    static_cast<void>(least), static_cast<void>(most);
    return false;
  }

  /// One part with all others held: prepares `factor` for the diagonal block of W, called in each solve.
  virtual void prepareLocal(const double* block, std::size_t rows, RankRevealingLU& factor) const {
    static_cast<void>(block), static_cast<void>(rows), static_cast<void>(factor);
  }
  /// Sets `lambda` to a solution of the law with W = `block` (null where it is zero), `w` being the velocity at the old
  /// `lambda`, of which the rows are overwritten.
  virtual void solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                          double* lambda) const = 0;

  /// A random λ in the set, of the size in which each row has this energy, for starts of methods. (RandomGenerator.hpp
  /// is to be included where numbers are drawn.)
  virtual void draw(const Rows& rows, double energy, RandomGenerator& generator, double* lambda) const = 0;

 protected:
  /// With what methods may know of it without a call.
  explicit ConvexSet(const Traits& traits) : traits_(traits) {}
  ConvexSet(const ConvexSet&) = default;
  ConvexSet& operator=(const ConvexSet&) = default;

 private:
  Traits traits_;
};

/// For validate(): throws Error about a part of a problem.
[[noreturn]] void failPart(std::size_t part, const std::string& what);

/// For draw(): twice what a row of scale d needs by itself for this energy, as rows push each other.
inline double impulseFor(double energy, double d) {
  return 2. * std::sqrt(energy / d);
}

}  // namespace delassus::numerics
