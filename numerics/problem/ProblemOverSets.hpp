// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/PenalisedMatrix.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/sets/Part.hpp>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus::numerics {

struct SparseFactors;

/// What the rows of an error measure add up to. See errorOf(const ProblemOverSets&, …).
enum class ResidualNorm {
  velocity,  ///< Σ w_i², for rows of one unit
  energy     ///< Σ w_i² / d_i, for rows of different units
};

/// What there is to know of all problems of one class.
struct ProblemTraits {
  std::string_view name;          ///< the name of the class, for messages
  ResidualNorm norm;              ///< of its error measure
  std::string_view matrix = "W";  ///< the names of the class and its matrix, as in 'RelayProblem: M'
};

/// Every problem of the library that is linear in its multipliers is one of these: find λ in the product C = C₁ × … ×
/// C_p of closed convex sets, and w, with
///
///     w = W λ + q,    −(w + s(w)) in the normal cone of C at λ,
///
/// with De Saxcé's shift s where a set has one (ConvexSet). W is square, usually symmetric positive semidefinite (not
/// required). The rows lie in consecutive parts, each with one set.
///
/// Classes of problems derive from it: they say which sets there are, in the words of their field, and hold the data.
/// A method that derives from Solver<ProblemOverSets> takes them all; one that derives from the Solver of a class takes
/// every problem that can be stated in that class, whatever its own class is (see Solver).
class ProblemOverSets {
 public:
  virtual ~ProblemOverSets() = default;

  std::size_t size() const { return q_.size(); }  ///< rows of all parts
  const Vector& q() const { return q_; }          ///< w at λ = 0

  /// Parts, of which all or each have a set.
  std::size_t partCount() const { return common_ != nullptr ? matrix_->blockRows() : parts_.size(); }
  /// Rows of a part.
  std::size_t rows(std::size_t part) const { return common_ != nullptr ? matrix_->blockSize(part) : parts_[part].rows; }
  /// First row of a part; only where W is a matrix, or has factors().
  std::size_t offset(std::size_t part) const { return matrix_ != nullptr ? matrix_->offset(part) : offsets_[part]; }
  /// The set of a part.
  const ConvexSet& set(std::size_t part) const { return common_ != nullptr ? *common_ : *parts_[part].set; }
  /// The same, to be kept.
  const std::shared_ptr<const ConvexSet>& sharedSet(std::size_t part) const {
    return common_ != nullptr ? common_ : parts_[part].set;
  }
  /// Bounds of λ, one entry a row, of which those of boxes count; empty where the class has none.
  ///@{
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  ///@}
  /// Bounds of the rows of a part; null where the class has none. Only where offset() is known.
  ///@{
  const double* lowerOf(std::size_t part) const { return lower_.size() > 0 ? data(lower_) + offset(part) : nullptr; }
  const double* upperOf(std::size_t part) const { return upper_.size() > 0 ? data(upper_) + offset(part) : nullptr; }
  ///@}
  /// Whether row `row` of the problem, which lies in this part, is an equality: its set is free, or a box without ends
  /// there.
  bool isFreeRow(std::size_t part, std::size_t row) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const ConvexSet& own = set(part);
    return own.isFree() || (own.isBox() && lower_(row) == -infinity && upper_(row) == infinity);
  }
  /// How many rows are equalities.
  std::size_t freeRows() const;
  /// Whether any is.
  bool hasFree() const { return freeRows() > 0; }

  /// Whether W is a matrix, not a product only.
  bool hasMatrix() const { return matrix_ != nullptr; }
  /// The same; makes W a matrix first where it can be made one. For methods that need it, before their first look at
  /// it; not from several threads at once.
  virtual bool requireMatrix() const { return hasMatrix(); }
  /// The reason that a method gives where W cannot be made a matrix.
  static constexpr std::string_view whyNoMatrix = "it needs W as a matrix, which would be too large or is not given";
  /// Whether multiply() is the product with matrix(), entry by entry.
  virtual bool isMatrixProduct() const { return hasMatrix(); }
  /// Divides the parts into groups that W does not couple, so that the problem falls apart into theirs: `group` becomes
  /// the number of each part's group, from 0 in the order of their first parts. Returns the number of groups; one where
  /// W cannot be made a matrix.
  virtual std::size_t independentGroups(std::vector<std::size_t>& group) const;
  /// W where it is a matrix: one block row a part.
  const BlockSparseMatrix& matrix() const {
    assert(hasMatrix());
    return *matrix_;
  }

  /// w := W λ
  virtual void multiply(const double* lambda, double* w) const = 0;
  /// For certificates: w := w + W λ in extended precision, and bound := bound + what rounding may change in multiply().
  ///@{
  virtual void addExtended(const double* lambda, long double* w) const = 0;
  virtual void addRounding(const double* lambda, double* bound) const = 0;
  ///@}
  /// The diagonal block of a part of W, column-major, or what its scales are made from where hasOwnScales().
  virtual void diagonalBlock(std::size_t part, double* block) const = 0;
  /// The block from which the scales of a part are made (ConvexSet::scales): that of the matrix, null where it is zero,
  /// or diagonalBlock(), in `buffer`, where there is no matrix or hasOwnScales().
  const double* scaleBlock(std::size_t part, std::vector<double>& buffer) const {
    if (hasMatrix() && !hasOwnScales()) return matrix_->diagonalBlock(part);
    if (buffer.size() < rows(part) * rows(part)) buffer.resize(rows(part) * rows(part));
    diagonalBlock(part, buffer.data());
    return buffer.data();
  }
  /// Whether diagonalBlock() is another block than that of the matrix W, also where there is one.
  virtual bool hasOwnScales() const { return false; }
  /// w where multipliers and velocities are zero: b of a problem in global form, q of others. Errors in the published
  /// measure are relative to it.
  virtual const Vector& outputsAtRest() const { return q_; }

  /// The problem whose certificate and proofs this one has: itself, unless it was stated from a problem in global form,
  /// of which it has a W that is rounded.
  const ProblemOverSets& origin() const { return origin_ != nullptr ? *origin_ : *this; }

  /// W = Hᵀ M⁻¹ H where it is kept by these, and null otherwise. Methods that solve with W and a diagonal or block
  /// diagonal matrix then do so in the rows of M.
  virtual const SparseFactors* factors() const { return nullptr; }
  /// Whether a method that solves with W and a block diagonal matrix can do so; makes W a matrix where it has to be.
  bool requireSystems() const { return factors() != nullptr || requireMatrix(); }
  /// Makes `kept` one that solves systems with W + R by other means than the matrix W, where W has them, and null
  /// otherwise. It refers to W, and is kept where it is of the same kind already, with its symbolic analysis.
  virtual void renew(std::unique_ptr<PenalisedOperator>& kept) const { kept.reset(); }
  /// Whether this is the part of one process, of a problem that several have (see distributed::DistributedDelassus).
  /// These decide by sums alone, and an error of one of them ends all.
  virtual bool isPart() const { return false; }
  /// Adds numbers up over all processes of isPart(); leaves them as they are otherwise.
  virtual void sum(std::span<double>) const {}

  /// Throws Error naming what is wrong: sizes that do not fit, entries that are not finite, a set that does not take
  /// its rows or bounds.
  virtual void validate() const = 0;
  /// All checks except that of the entries of W.
  virtual void validateVectors() const = 0;
  /// Identifies W.
  std::uint64_t stamp() const { return matrix_ != nullptr ? matrix_->stamp() : stampOfProduct(); }

  /// The set that all parts have; null where each has its own.
  const ConvexSet* commonSet() const { return common_.get(); }
  /// The class, the address of which identifies it.
  const ProblemTraits& traits() const { return *traits_; }
  /// How rows count in the error measure: as the class says, or as the problem says from which a method stated this
  /// one.
  ResidualNorm norm() const { return norm_; }

 protected:
  /// `traits` must live as long as the program.
  explicit ProblemOverSets(const ProblemTraits& traits) : traits_(&traits), norm_(traits.norm) {}
  /// A problem that was moved from keeps its traits and its common set, and can be filled again.
  ///@{
  ProblemOverSets(const ProblemOverSets&) = default;
  ProblemOverSets(ProblemOverSets&& other) noexcept : ProblemOverSets(*other.traits_) { take(other); }
  ProblemOverSets& operator=(const ProblemOverSets&) = default;
  ProblemOverSets& operator=(ProblemOverSets&& other) noexcept {
    take(other);
    return *this;
  }
  ///@}

  /// stamp() where W is no matrix.
  virtual std::uint64_t stampOfProduct() const = 0;

  /// For validateVectors(): throws Error unless each part has a set, at least one row, and bounds that its set takes.
  void validateParts() const;

  /// The derived class fills these.
  ///@{
  Vector q_, lower_, upper_;
  std::vector<Part> parts_;                            // where each has a set
  std::vector<std::size_t> offsets_;                   // first row of each part, where W is no matrix
  std::shared_ptr<const ConvexSet> common_;            // the set of all block rows of a matrix
  mutable const BlockSparseMatrix* matrix_ = nullptr;  // if there is one
  const ProblemTraits* traits_;
  ResidualNorm norm_;
  const ProblemOverSets* origin_ = nullptr;  // the problem from which this one was stated, until release()
                                             ///@}

 private:
  // The other keeps its common set, without which it could not be filled again.
  void take(ProblemOverSets& other) {
    q_ = std::move(other.q_);
    lower_ = std::move(other.lower_);
    upper_ = std::move(other.upper_);
    parts_ = std::move(other.parts_);
    offsets_ = std::move(other.offsets_);
    common_ = other.common_;
    matrix_ = other.matrix_;
    traits_ = other.traits_;
    norm_ = other.norm_;
    origin_ = other.origin_;
  }
};

/// One whose W is a matrix of its own. Copies are deep.
class MatrixProblem : public ProblemOverSets {
 public:
  void multiply(const double* lambda, double* w) const final { matrix_->multiply(lambda, w); }
  void addExtended(const double* lambda, long double* w) const final { delassus::addExtended(*matrix_, lambda, w); }
  void addRounding(const double* lambda, double* bound) const final { delassus::addRounding(*matrix_, lambda, bound); }
  void diagonalBlock(std::size_t part, double* block) const final;
  std::uint64_t stampOfProduct() const final { return matrix_->stamp(); }

  /// Ends refer().
  void release() { matrix_ = &own_; }

 protected:
  /// Without rows.
  explicit MatrixProblem(const ProblemTraits& traits) : ProblemOverSets(traits) { matrix_ = &own_; }
  /// Deep copies, also of a matrix that is referred to.
  ///@{
  MatrixProblem(const MatrixProblem& other) : ProblemOverSets(other), own_(*other.matrix_) { matrix_ = &own_; }
  MatrixProblem(MatrixProblem&& other) noexcept
      : ProblemOverSets(static_cast<ProblemOverSets&&>(other)), own_(std::move(other.own_)) {
    if (matrix_ == &other.own_) matrix_ = &own_;
  }
  MatrixProblem& operator=(const MatrixProblem& other) {
    ProblemOverSets::operator=(other);
    own_ = *other.matrix_;
    matrix_ = &own_;
    return *this;
  }
  MatrixProblem& operator=(MatrixProblem&& other) noexcept {
    ProblemOverSets::operator=(static_cast<ProblemOverSets&&>(other));
    own_ = std::move(other.own_);
    if (matrix_ == &other.own_) matrix_ = &own_;
    return *this;
  }
  ///@}
  ~MatrixProblem() override = default;

  /// Takes q, the norm and W of another problem, W by its address: until the other changes or own() is called.
  void refer(const ProblemOverSets& other);
  /// For new values in place.
  BlockSparseMatrix& own() {
    matrix_ = &own_;
    return own_;
  }

 private:
  BlockSparseMatrix own_;
};

}  // namespace delassus::numerics
