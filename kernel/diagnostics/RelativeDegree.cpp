// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/diagnostics/LinearModel.hpp>
#include <delassus/kernel/diagnostics/RelativeDegree.hpp>
#include <delassus/kernel/integrators/OneStepIntegrator.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/RankRevealing.hpp>
#include <sstream>

namespace delassus {
namespace {

constexpr std::size_t keptParameters = 3;  // of the report
constexpr double digits = 1e-12;           // of the data

// The products A^{k−1} B, column by column, and bounds of their rounding.
class Powers {
 public:
  explicit Powers(const LinearModel& model) : model_(model), V_(model.B), error_(model.magnitudeB) {
    for (double& entry : error_.data()) entry *= digits;
  }

  const Matrix& V() const { return V_; }

  /// From A^{k−1} B to A^k B.
  void advance() {
    const std::size_t columns = V_.size2();
    const Matrix V = V_;
    const Matrix error = error_;
    const Matrix magnitudes = magnitudesOf(V);
    setZero(V_);
    setZero(error_);
    for (const LinearModel::System& system : model_.systems) {
      const Matrix magnitudeA = magnitudesOf(system.A);
      for (std::size_t j = 0; j < columns; ++j) {
        const std::size_t at = system.offset + j * model_.states;
        multiply(1., system.A, data(V) + at, 0., data(V_) + at);
        multiply(1., magnitudeA, data(error) + at, 0., data(error_) + at);
        multiply(digits, system.magnitudeA, data(magnitudes) + at, 1., data(error_) + at);
      }
    }
  }

  /// C V, zero where it does not exceed its rounding.
  Matrix output() const {
    const Matrix magnitudeC = magnitudesOf(model_.C);
    Matrix P(model_.C.size1(), V_.size2());
    Matrix bound = P;
    multiply(1., model_.C, V_, 0., P);
    multiply(1., magnitudeC, error_, 0., bound);
    multiply(digits, magnitudeC, magnitudesOf(V_), 1., bound);
    for (std::size_t k = 0; k < P.data().size(); ++k) {
      if (!(std::abs(P.data()[k]) > bound.data()[k])) P.data()[k] = 0.;
    }
    return P;
  }

  /// Entry (row, column) of that alone.
  bool isZero(std::size_t row, std::size_t column) const {
    double value = 0.;
    double bound = 0.;
    for (std::size_t i = 0; i < model_.states; ++i) {
      const double c = model_.C(row, i);
      value += c * V_(i, column);
      bound += std::abs(c) * (error_(i, column) + digits * std::abs(V_(i, column)));
    }
    return !(std::abs(value) > bound);
  }

  /// Keeps only these columns, each scaled by a power of two against overflow; zeros stay zeros.
  void keep(const std::vector<std::size_t>& columns) {
    Matrix V(model_.states, columns.size());
    Matrix error = V;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      double largest = 0.;
      for (std::size_t i = 0; i < model_.states; ++i) largest = std::max(largest, std::abs(V_(i, columns[j])));
      const int exponent = largest > 0. ? -std::ilogb(largest) : 0;
      for (std::size_t i = 0; i < model_.states; ++i) {
        V(i, j) = std::scalbn(V_(i, columns[j]), exponent);
        error(i, j) = std::scalbn(error_(i, columns[j]), exponent);
      }
    }
    V_ = V;
    error_ = error;
  }

 private:
  const LinearModel& model_;
  Matrix V_, error_;
};

// Rows, then columns, divided by their largest entries until that changes little: rank must not depend on units.
void balance(Matrix& T) {
  constexpr int sweeps = 5;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t i = 0; i < T.size1(); ++i) {
      double largest = 0.;
      for (std::size_t j = 0; j < T.size2(); ++j) largest = std::max(largest, std::abs(T(i, j)));
      if (largest == 0.) continue;
      for (std::size_t j = 0; j < T.size2(); ++j) T(i, j) /= largest;
    }
    for (std::size_t j = 0; j < T.size2(); ++j) {
      double largest = 0.;
      for (std::size_t i = 0; i < T.size1(); ++i) largest = std::max(largest, std::abs(T(i, j)));
      if (largest == 0.) continue;
      for (std::size_t i = 0; i < T.size1(); ++i) T(i, j) /= largest;
    }
  }
}

std::size_t rank(Matrix T) {
  constexpr double smallest = 1e-10;
  balance(T);
  RankRevealingLU factor;
  factor.factor(data(T), T.size1(), smallest, true);
  return factor.rank();
}

bool isZero(const Matrix& P) {
  return std::all_of(P.data().begin(), P.data().end(), [](double entry) { return entry == 0.; });
}

std::string textOf(const std::optional<std::size_t>& degree) {
  return degree ? std::to_string(*degree) : "none";
}

// Rows without a degree.
std::vector<std::size_t> undecided(const RelativeDegreeReport& report) {
  std::vector<std::size_t> left;
  for (std::size_t j = 0; j < report.rows.size(); ++j) {
    if (!report.rows[j].degree) left.push_back(j);
  }
  return left;
}

// All entries of P₀, P₁, … for as long as they are zero, and those that are kept; gives the number of the next one.
std::size_t findUniformDegree(const LinearModel& linear, Powers& powers, RelativeDegreeReport& report) {
  const std::vector<std::size_t> all = undecided(report);
  bool allZero = true;
  std::size_t k = 0;
  for (; k < keptParameters || (allZero && k <= linear.states); ++k) {
    if (k >= keptParameters) powers.keep(all);
    if (k > 1) powers.advance();
    const Matrix P = k == 0 ? linear.D : powers.output();
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (!report.rows[j].degree && P(j, j) != 0.) report.rows[j].degree = k;
    }
    if (allZero && !isZero(P)) {
      allZero = false;
      if (rank(P) == all.size()) report.uniform = k;
    }
    if (k < keptParameters) report.parameters.push_back(P);
  }
  return k;
}

// The entries (j, j) of P_k, P_{k+1}, … alone, for the rows that have no degree yet.
void findDegreesOfRows(const LinearModel& linear, Powers& powers, std::size_t k, RelativeDegreeReport& report) {
  std::vector<std::size_t> left = undecided(report);
  std::vector<std::size_t> columns = left;
  for (; k <= linear.states && !left.empty(); ++k) {
    powers.keep(columns);
    powers.advance();
    columns.clear();
    for (std::size_t c = 0; c < left.size(); ++c) {
      if (powers.isZero(left[c], c)) {
        columns.push_back(c);
      } else {
        report.rows[left[c]].degree = k;
      }
    }
    left = undecided(report);
  }
}

}  // namespace

RelativeDegreeReport relativeDegree(const NonSmoothDynamicalSystem& model) {
  const LinearModel linear(model);
  RelativeDegreeReport report;
  report.states = linear.states;
  for (const LinearModel::Row& row : linear.rows) report.rows.push_back({row.interaction, row.row, {}, row.equality});
  if (report.rows.empty()) return report;
  Powers powers(linear);
  const std::size_t next = findUniformDegree(linear, powers, report);
  findDegreesOfRows(linear, powers, next, report);
  return report;
}

std::string RelativeDegreeReport::summary() const {
  std::ostringstream text;
  text << "Relative degrees with " << states << " states: uniform " << textOf(uniform) << '\n';
  for (const Row& row : rows) {
    text << "  '" << row.interaction << "' row " << row.row << ": " << textOf(row.degree)
         << (row.equality ? " (equality)" : "") << '\n';
  }
  return text.str();
}

// With T_k the block Toeplitz matrix of P_0 … P_k (lower triangular), rank T_k − rank T_{k−1} is the number of zeros at
// infinity of order at most k of the transfer matrix. Full for these rows: λ follows from derivatives up to the k-th.
// (Van Dooren, Dewilde, Vandewalle, On the determination of the Smith–MacMillan form of a rational matrix from its
// Laurent expansion, IEEE Trans. Circuits Syst. 26, 1979.)
bool RelativeDegreeReport::isSeen(const std::vector<std::size_t>& subset, std::size_t degree) const {
  const std::size_t m = subset.size();
  const auto rankOf = [&](std::size_t levels) {
    Matrix T(levels * m, levels * m);
    for (std::size_t row = 0; row < levels; ++row) {
      for (std::size_t column = 0; column <= row; ++column) {
        for (std::size_t j = 0; j < m; ++j) {
          for (std::size_t i = 0; i < m; ++i) {
            T(row * m + i, column * m + j) = parameters[row - column](subset[i], subset[j]);
          }
        }
      }
    }
    return rank(std::move(T));
  };
  return rankOf(degree + 1) - rankOf(degree) == m;
}

std::vector<std::string> RelativeDegreeReport::warnings(const OneStepIntegrator& integrator) const {
  std::vector<std::string> all;
  if (rows.empty()) return all;
  const std::size_t limit = std::min(integrator.maxRelativeDegree(), keptParameters - 1);
  const std::string scheme(integrator.name());
  std::vector<std::size_t> equalities;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    if (rows[j].equality) equalities.push_back(j);
  }
  const bool equalitiesSeen = isSeen(equalities, limit);
  const std::string limits = scheme + " has consistent multipliers up to degree " + std::to_string(limit) + ". ";
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const Row& row = rows[j];
    std::vector<std::size_t> subset = equalitiesSeen ? equalities : std::vector<std::size_t>();
    if (!row.equality || !equalitiesSeen) subset.push_back(j);
    if (isSeen(subset, limit)) continue;
    std::string text = "Interaction '" + row.interaction + "', row " + std::to_string(row.row);
    if (!row.degree) {
      text += ": its multiplier does not enter its output (no relative degree). " + limits +
              "Check C, D and B, or impose the law on an output that the multiplier acts on.";
    } else if (*row.degree > limit) {
      text += ": relative degree " + std::to_string(*row.degree) + ". " + limits +
              (*row.degree == 2 ? "Multipliers beyond contain impulses: state the system as a mechanical one and use "
                                  "MoreauJeanOSI with an impact law, or impose the law on a derivative of the output."
                                : "Impose the law on a derivative of the output.");
    } else {
      text += ": together with the equalities of the model its relative degree is larger than " +
              std::to_string(*row.degree) + ". " + limits + "Impose the law on a derivative of the output.";
    }
    all.push_back(text);
  }
  if (!equalitiesSeen && all.empty()) {
    all.push_back("The equalities of the model together: their multipliers do not follow from them and their " +
                  std::to_string(limit) + " first derivatives, though each of them by itself does. " + limits +
                  "Leave out those that depend on others, or differentiate them.");
  }
  return all;
}

}  // namespace delassus
