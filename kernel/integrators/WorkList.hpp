// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/Threads.hpp>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace delassus {

/// Goes over what a list of pointers points to.
template <class Pointers, class Value>
class PointeeIterator {
 public:
  /// \cond
  using iterator_category = std::forward_iterator_tag;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using pointer = Value*;
  using reference = Value&;
  /// \endcond

  PointeeIterator() = default;
  /// At the value of this element of the list.
  explicit PointeeIterator(Pointers place) : place_(place) {}

  /// \cond
  Value& operator*() const { return **place_; }
  Value* operator->() const { return &**place_; }
  PointeeIterator& operator++() {
    ++place_;
    return *this;
  }
  PointeeIterator operator++(int) { return PointeeIterator(place_++); }
  bool operator==(const PointeeIterator&) const = default;
  /// \endcond

 private:
  Pointers place_;
};

/// The data of a scheme for each system or interaction, in the order of the topology. When the model changes, the data
/// of those that remain are not rebuilt: a contact that appears or vanishes costs little compared with the step. Loops
/// go over those that take part in a step: all, unless some were chosen (see Sleep).
template <class Work>
class WorkList {
 public:
  WorkList() = default;
  /// A copy is empty: the data belong to one model, to which a copied scheme is not bound.
  WorkList(const WorkList&) {}
  WorkList(WorkList&&) = default;
  /// Empties the list, as the copy constructor does.
  WorkList& operator=(const WorkList&) { return *this = WorkList(); }
  WorkList& operator=(WorkList&&) = default;
  ~WorkList() = default;

  /// Entries keep their addresses as long as they exist.
  using Storage = std::vector<std::unique_ptr<Work>>;
  /// Goes over the entries themselves, which may be changed through a const list.
  using Iterator = PointeeIterator<typename std::vector<Work*>::const_iterator, Work>;
  /// All of them, in the order of the topology.
  class All {
   public:
    /// \cond
    using Iterator = PointeeIterator<typename Storage::const_iterator, Work>;
    explicit All(const Storage& list) : begin_(list.begin()), end_(list.end()) {}
    Iterator begin() const { return begin_; }
    Iterator end() const { return end_; }
    /// \endcond

   private:
    Iterator begin_, end_;
  };

  /// Number of entries, chosen or not.
  std::size_t size() const { return list_.size(); }
  /// The entry of system or interaction k of the topology.
  Work& operator[](std::size_t k) const { return *list_[k]; }
  /// For range-based loops over the entries that take part, in the order of the topology.
  ///@{
  Iterator begin() const { return Iterator(chosen_.begin()); }
  Iterator end() const { return Iterator(chosen_.end()); }
  ///@}
  /// visit(entry) for each entry that takes part: in the order of the topology, or on all threads of the library where
  /// the objects are self-contained. A visit writes nothing but its entry and what belongs to that alone.
  template <class Visit>
  void forEach(const Visit& visit) const {
    constexpr std::size_t rangeSize = 64;  // of entries, which take some tenths of a microsecond each
    const auto visitRange = [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; ++k) visit(*chosen_[k]);
    };
    if (areSelfContained_) {
      forRanges(chosen_.size(), rangeSize, visitRange);
    } else {
      visitRange(0, chosen_.size());
    }
  }
  /// Says whether evaluations of one object of the list read and write nothing that another one writes.
  void setSelfContained(bool are) { areSelfContained_ = are; }
  /// For such loops over all entries.
  All all() const { return All(list_); }
  /// Makes the entries for which takesPart(entry) is true those that take part, until the next update().
  template <class TakesPart>
  void choose(TakesPart takesPart) {
    chosen_.clear();
    for (const auto& work : list_) {
      if (takesPart(*work)) chosen_.push_back(work.get());
    }
  }

  /// Makes this the list for objects with these serial numbers (ascending): keeps the entries of those it has, drops
  /// the others, and calls make(k, spare) for new ones, which returns a std::unique_ptr<Work>: `spare` with other
  /// contents, if it is not null, so that interactions that come and go cause no heap traffic. make(k) does for objects
  /// that stay. All take part then. If it throws, nothing changes.
  template <class Make>
  void update(const std::vector<std::uint64_t>& serials, Make make) {
    next_.clear();
    next_.resize(serials.size());
    std::size_t old = 0;
    for (std::size_t k = 0; k < serials.size(); ++k) {
      while (old < serials_.size() && serials_[old] < serials[k]) ++old;
      const bool isKept = old < serials_.size() && serials_[old] == serials[k];
      if (!isKept) next_[k] = made(k, make);
    }
    old = 0;
    for (std::size_t k = 0; k < serials.size(); ++k) {
      for (; old < serials_.size() && serials_[old] < serials[k]; ++old) retire<Make>(std::move(list_[old]));
      if (!next_[k]) next_[k] = std::move(list_[old++]);
    }
    for (; old < serials_.size(); ++old) retire<Make>(std::move(list_[old]));
    list_.swap(next_);
    serials_ = serials;
    choose([](const Work&) { return true; });
  }

 private:
  template <class Make>
  static constexpr bool takesSpares = std::is_invocable_v<Make&, std::size_t, std::unique_ptr<Work>>;

  // A spare must not keep alive what it was for.
  template <class Make>
  void retire(std::unique_ptr<Work> work) {
    if constexpr (takesSpares<Make>) {
      if constexpr (requires { work->interaction; }) work->interaction.reset();
      spares_.push_back(std::move(work));
    }
  }

  template <class Make>
  std::unique_ptr<Work> made(std::size_t k, Make& make) {
    if constexpr (takesSpares<Make>) {
      std::unique_ptr<Work> spare;
      if (!spares_.empty()) {
        spare = std::move(spares_.back());
        spares_.pop_back();
      }
      return make(k, std::move(spare));
    } else {
      return make(k);
    }
  }

  Storage list_, next_;
  std::vector<Work*> chosen_;
  Storage spares_;  // of objects that are gone
  std::vector<std::uint64_t> serials_;
  bool areSelfContained_ = false;
};

}  // namespace delassus
