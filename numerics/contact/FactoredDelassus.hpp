// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/contact/DelassusOperator.hpp>
#include <span>
#include <vector>

namespace delassus::numerics {

/// W = Hᵀ M⁻¹ H as its factors: M⁻¹ is block diagonal, one block a body; H (body coordinates x d · contacts) is sparse,
/// in columns by contact. The cost of a product is proportional to the number of pairs of a contact and a body, however
/// many contacts a body has. The matrix is made only for methods that ask for it.
class FactoredDelassus final : public DelassusOperator {
 public:
  /// Without bodies and contacts. Throws Error if the dimension is not 2 or 3.
  explicit FactoredDelassus(std::size_t dimension);
  /// `inverseMasses`: the symmetric block of each body, in the order of H's rows. Throws Error if sizes do not fit.
  FactoredDelassus(std::size_t dimension, const std::vector<Matrix>& inverseMasses, const SparseMatrix& H);

  /// New values in place, contact after contact: clear, then addContact and addArm for each of its bodies, addMass for
  /// all bodies or none, and finish. Memory is kept. A problem that has this operator is then to be given it again (or
  /// told by renewOperator()).
  ///@{
  /// Coordinates of each body.
  void clear(std::span<const std::size_t> bodySizes);
  /// Makes room for so many contacts, arms, and entries of H; after clear(), where they are known.
  void reserve(std::size_t contacts, std::size_t arms, std::size_t entries);
  /// The contact to which the next arms belong.
  void addContact() { contactStarts_.push_back(arms_.size()); }
  /// Of a contact and a body of n coordinates: the block of Hᵀ, d x n, whose columns are `stride` apart, and that of
  /// M⁻¹ H, n x d, both column-major. A body may occur only once in a contact.
  void addArm(std::size_t body, const double* left, std::size_t stride, const double* right);
  /// M of the next body, of which the lower triangle is read, column-major. Where all bodies have one, systems with
  /// W + R are solved by PenalisedFactors.
  void addMass(const double* M);
  /// Gives the values a new stamp.
  void finish();
  ///@}
  /// Takes the stamp of equal values, from a checkpoint.
  void adoptStamp(std::uint64_t stamp) { stamp_ = stamp; }

  std::size_t dimension() const override { return dimension_; }
  std::size_t size() const override { return dimension_ * contacts(); }
  void multiply(const double* r, double* u) const override;
  void addExtended(const double* r, long double* u) const override;
  void addRounding(const double* r, double* bound) const override;
  void diagonalBlock(std::size_t contact, double* block) const override;
  const BlockSparseMatrix* matrix() const override { return builtFrom_.isCurrent(stamp_) ? &built_ : nullptr; }
  const BlockSparseMatrix* build() const override;
  bool isMatrixProduct() const override { return false; }
  void assemble(BlockSparseMatrix& W) const override;
  bool findPattern(ContactPattern& pattern) const override;
  void rowBlocks(std::size_t contact, std::span<const std::uint32_t> columns, double* blocks) const override;
  std::size_t independentGroups(std::vector<std::size_t>& group) const override;
  void renew(std::unique_ptr<DelassusSweep>& sweep) const override;
  void renew(std::unique_ptr<PenalisedOperator>& kept) const override;
  bool hasPenalised() const override { return massStarts_.size() == termsOfBodies_.size(); }
  std::size_t rankBound() const override { return rankBound_; }
  std::uint64_t stamp() const override { return stamp_; }
  void validate() const override;

 private:
  friend class FactoredSweep;
  friend class PenalisedFactors;

  // What joins one contact and one body.
  struct Arm {
    std::uint32_t body;
    std::uint32_t firstValue;  // in armValues_ and inverseArmValues_
  };
  std::size_t contacts() const { return contactStarts_.size(); }
  std::size_t armsBegin(std::size_t contact) const { return contactStarts_[contact]; }
  std::size_t armsEnd(std::size_t contact) const {
    return contact + 1 < contactStarts_.size() ? contactStarts_[contact + 1] : arms_.size();
  }
  std::size_t bodySize(std::size_t body) const { return bodyStarts_[body + 1] - bodyStarts_[body]; }
  void addVelocities(std::size_t contact, const double* reaction, double* bodyVelocities) const;
  void relativeVelocity(std::size_t contact, const double* bodyVelocities, double* u) const;
  bool isTooLarge() const;
  void fillPattern(ContactPattern& pattern) const;
  void addProduct(const Arm& left, const Arm& right, double* block) const;

  std::size_t dimension_;
  std::vector<std::size_t> bodyStarts_ = {0};
  std::vector<std::size_t> contactStarts_;  // first arm of each contact
  std::vector<Arm> arms_;
  std::vector<double> armValues_;           // of Hᵀ, d x n
  std::vector<double> inverseArmValues_;    // of M⁻¹ H, n x d
  std::vector<std::size_t> termsOfBodies_;  // reactions that meet in the velocity of each body
  std::vector<double> masses_;              // M of bodies, one after another
  std::vector<std::size_t> massStarts_;     // of those that have one
  std::size_t rankBound_ = 0;               // coordinates of bodies that have contacts
  std::uint64_t stamp_;
  mutable BlockSparseMatrix built_;
  mutable MadeFrom<std::uint64_t> builtFrom_;
};

}  // namespace delassus::numerics
