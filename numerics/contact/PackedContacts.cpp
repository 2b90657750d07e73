// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <delassus/numerics/Memory.hpp>
#include <delassus/numerics/Threads.hpp>
#include <delassus/numerics/contact/FrictionCone.hpp>
#include <delassus/numerics/contact/PackedContacts.hpp>
#include <delassus/numerics/contact/SlidingEquation.hpp>
#include <utility>

// One binary for old and new machines: the loader takes the version that the machine can run.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__) && \
    !defined(__SANITIZE_ADDRESS__)
#define DELASSUS_FOR_EACH_MACHINE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define DELASSUS_FOR_EACH_MACHINE
#endif

namespace delassus::numerics {
namespace {

constexpr int slidingSteps = 3;
constexpr std::size_t rowsATurn = 256;  // rows that a thread packs at once

// As GCC and Clang have it: on machines without such registers, two of two numbers.
using Four = double __attribute__((vector_size(32)));

inline void load(const double* x, Four& four) {
  std::memcpy(&four, x, sizeof four);
}

// Into the cone along the tangents, as sweeps that go beyond a solution need it. By value, so that reactions stay in
// registers: contacts that follow each other wait for them.
inline OneContact<3>::Reaction pulledIntoCone(double mu, const OneContact<3>::Reaction& r) {
  if (!(r[0] > 0.)) return {0., 0., 0.};
  const double squares = r[1] * r[1] + r[2] * r[2], limit = mu * r[0];
  if (squares <= limit * limit) return r;
  const double factor = limit / std::sqrt(squares);
  return {r[0], factor * r[1], factor * r[2]};
}

bool isDiagonal(const double* W) {
  constexpr double rounding = 1e-12;
  double coupling = std::abs(W[4] - W[8]);
  for (const std::size_t k : {1U, 2U, 3U, 5U, 6U, 7U}) coupling = std::max(coupling, std::abs(W[k]));
  return W[0] > 0. && W[4] > 0. && W[8] > 0. && coupling <= rounding * std::min({W[0], W[4], W[8]});
}

// By cofactors; false where the matrix is nearly singular.
bool invert(const std::array<double, 9>& W, std::array<double, 9>& inverse) {
  const auto cofactor = [&](std::size_t i, std::size_t j) {
    const std::size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return W[a + 3 * c] * W[b + 3 * d] - W[a + 3 * d] * W[b + 3 * c];
  };
  const double determinant = W[0] * cofactor(0, 0) + W[3] * cofactor(0, 1) + W[6] * cofactor(0, 2);
  if (!(determinant > 1e-10 * std::abs(W[0] * W[4] * W[8]))) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) inverse[j + 3 * i] = cofactor(i, j) / determinant;
  }
  return true;
}

// Sliding from the direction t of a tangential reaction; false where a Newton step does not lead near a solution.
bool slide(const OneContact<3>& contact, const double* tangential, OneContact<3>::Reaction& solved) {
  const double length = std::hypot(tangential[0], tangential[1]);
  SlidingEquation::Direction t{1., 0.};
  if (length > 0.) t = {tangential[0] / length, tangential[1] / length};
  const SlidingEquation equation(contact);
  for (int step = 0; step < slidingSteps; ++step) {
    const double change = -equation.value(t) / equation.derivative(t);
    if (!(std::abs(change) < 0.3)) return false;
    const double inverse = 1. / std::sqrt(1. + change * change);
    t = {(t.cosine - change * t.sine) * inverse, (t.sine + change * t.cosine) * inverse};
    if (std::abs(change) < 1e-3) break;
  }
  OneContact<3>::Reaction r;
  if (!equation.reaction(t, r)) return false;
  const OneContact<3>::Reaction u = contact.velocity(r);
  if (u[1] * t.cosine + u[2] * t.sine > 0.) return false;
  solved = r;
  return true;
}

}  // namespace

struct PackedContacts::View {
  const PackedContacts& contacts;
  const Own* own;
  const std::uint32_t* columns;
  const double* blocks;
  double* r;
};

void PackedContacts::pack(const DelassusOperator& W, const ContactPattern& pattern, const std::vector<double>& scales,
                          const std::vector<std::size_t>& order) {
  const std::size_t n = W.size() / 3;
  place_.resize(n);
  makeRoom(own_, n + 1);
  own_.resize(n + 1);
  own_[0].firstBlock = 0;
  for (std::size_t place = 0; place < n; ++place) {
    place_[order[place]] = static_cast<std::uint32_t>(place);
    const std::size_t others = pattern.row(order[place]).size() - 1;
    own_[place + 1].firstBlock = own_[place].firstBlock + static_cast<std::uint32_t>(others);
  }
  const std::size_t blocks = own_[n].firstBlock;
  for (auto [numbers, size] : {std::pair{&blocks_, 9 * blocks + 1}, {&r_, 4 * n}, {&before_, 4 * n}}) {
    makeRoom(*numbers, size);
    numbers->resize(size);
  }
  makeRoom(columns_, blocks);
  columns_.resize(blocks);
  forRanges(n, rowsATurn, [&](std::size_t begin, std::size_t end) {
    for (std::size_t place = begin; place < end; ++place) {
      packRow(W, pattern.row(order[place]), order[place]);
      own_[place].scale = scales[order[place]];
    }
  });
  placeFull();
  forRanges(n, rowsATurn, [&](std::size_t begin, std::size_t end) {
    for (std::size_t place = begin; place < end; ++place) {
      if (own_[place].full == notFull) continue;
      Full& full = full_[own_[place].full];
      W.diagonalBlock(order[place], full.W.data());
      full.isRegular = invert(full.W, full.inverse);
    }
  });
}

void PackedContacts::packRow(const DelassusOperator& W, std::span<const std::uint32_t> columns, std::size_t row) {
  static thread_local std::vector<double> blocks;
  if (blocks.size() < 9 * columns.size()) blocks.resize(9 * columns.size());
  W.rowBlocks(row, columns, blocks.data());
  const std::uint32_t place = place_[row];
  std::size_t next = own_[place].firstBlock;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const double* const block = blocks.data() + 9 * k;
    if (columns[k] != row) {
      columns_[next] = place_[columns[k]];
      std::copy_n(block, 9, blocks_.data() + 9 * next++);
      continue;
    }
    Own& own = own_[place];
    own.full = isDiagonal(block) ? notFull : 0;
    for (std::size_t i = 0; i < 3 && own.full == notFull; ++i) own.inverseDiagonal[i] = 1. / block[4 * i];
  }
}

// Numbers the blocks that are not diag(a, c, c), in the order of sweeps.
void PackedContacts::placeFull() {
  std::uint32_t count = 0;
  for (std::size_t place = 0; place < place_.size(); ++place) {
    if (own_[place].full != notFull) own_[place].full = count++;
  }
  full_.resize(count);
}

void PackedContacts::begin(const Vector& q, const Vector& mu, const Vector& r) {
  for (std::size_t contact = 0; contact < place_.size(); ++contact) {
    own_[place_[contact]].mu = mu(contact);
    std::copy_n(data(q) + 3 * contact, 3, own_[place_[contact]].q.begin());
    std::copy_n(data(r) + 3 * contact, 3, r_.data() + 4 * std::size_t{place_[contact]});
  }
  before_ = r_;
}

void PackedContacts::sweep(std::span<const std::uint32_t> places, double relaxation, double* squares) {
  pass({*this, own_.data(), columns_.data(), blocks_.data(), r_.data()}, places, relaxation, squares);
}

void PackedContacts::extrapolate(std::size_t begin, std::size_t end, double factor) {
  double *const r = r_.data(), *const before = before_.data();
  for (std::size_t i = 4 * begin; i < 4 * end; ++i) {
    const double reached = r[i];
    r[i] = reached + factor * (reached - before[i]);
    before[i] = reached;
  }
}

void PackedContacts::read(Vector& r) const {
  for (std::size_t contact = 0; contact < place_.size(); ++contact) {
    std::copy_n(r_.data() + 4 * std::size_t{place_[contact]}, 3, data(r) + 3 * contact);
  }
}

DELASSUS_FOR_EACH_MACHINE
void PackedContacts::pass(const View& view, std::span<const std::uint32_t> places, double relaxation, double* squares) {
  for (const std::size_t place : places) {
    // Three sums, so that no product waits for the one before. Their last number does not count.
    Four first, second{}, third{}, column1, column2, column3;
    const Own& own = view.own[place];
    load(own.q.data(), first);
    const double* block = view.blocks + 9 * static_cast<std::size_t>(own.firstBlock);
    for (std::uint32_t k = own.firstBlock; k < (&own)[1].firstBlock; ++k, block += 9) {
      const double* const other = view.r + 4 * static_cast<std::size_t>(view.columns[k]);
      load(block, column1);
      load(block + 3, column2);
      load(block + 6, column3);
      first += column1 * other[0];
      second += column2 * other[1];
      third += column3 * other[2];
    }
    const Four free = first + second + third;
    double* const old = view.r + 4 * place;
    OneContact<3>::Reaction solved;
    if (own.full == notFull) {
      // diag(a, c, c): the friction that would stick, cut to what the load allows.
      const std::array<double, 3>& inverse = own.inverseDiagonal;
      solved = pulledIntoCone(own.mu, {-inverse[0] * free[0], -inverse[1] * free[1], -inverse[2] * free[2]});
    } else {
      solved = view.contacts.solve(own, {free[0], free[1], free[2]}, old);
    }
    if (relaxation != 1.) {
      for (std::size_t i = 0; i < 3; ++i) solved[i] = old[i] + relaxation * (solved[i] - old[i]);
      if (relaxation > 1.) solved = pulledIntoCone(own.mu, solved);
    }
    double sum = 0.;
    for (std::size_t i = 0; i < 3; ++i) {
      const double change = solved[i] - old[i];
      sum += change * change;
      old[i] = solved[i];
    }
    squares[place] = own.scale * own.scale * sum;
  }
}

OneContact<3>::Reaction PackedContacts::solve(const Own& own, const OneContact<3>::Reaction& free,
                                              const double* old) const {
  if (free[0] >= 0.) return {0., 0., 0.};
  const Full& full = full_[own.full];
  const OneContact<3> contact(full.W.data(), free.data(), own.mu);
  const double slip = tangentNorm(3, old);
  OneContact<3>::Reaction solved{};
  if (slip > 0. && slip >= (1. - 1e-9) * own.mu * old[0] && slide(contact, old + 1, solved)) return solved;
  if (full.isRegular) {
    for (std::size_t i = 0; i < 3; ++i) {
      solved[i] = 0.;
      for (std::size_t j = 0; j < 3; ++j) solved[i] -= full.inverse[i + 3 * j] * free[j];
    }
    if (contact.isInCone(solved)) return solved;
    // The direction in which sticking fails is near that of sliding.
    const double tangential[] = {solved[1], solved[2]};
    if (slide(contact, tangential, solved)) return solved;
  }
  std::copy_n(old, 3, solved.begin());
  hard_.solve(3, full.W.data(), free.data(), own.mu, solved.data());
  return solved;
}

}  // namespace delassus::numerics
