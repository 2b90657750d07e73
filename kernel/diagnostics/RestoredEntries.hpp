// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <delassus/numerics/StateArchive.hpp>
#include <limits>
#include <string>
#include <vector>

namespace delassus::detail {

/// The serial number of an entry whose system or interaction is no longer in the model.
inline constexpr std::uint64_t goneSerial = std::numeric_limits<std::uint64_t>::max();

/// True if the object of an entry comes before `serial` in the model, or is no longer in it.
inline bool isBefore(std::uint64_t entry, std::uint64_t serial) {
  return entry == goneSerial || entry < serial;
}

/// Saves or restores an observer's list of entries about systems or interactions, each with `serialize(entry, place)`.
/// An entry identifies its object by `serial`; `serials` are those of the present model, ascending. Serial numbers
/// belong to one process (contacts get new ones when they are linked again), but a restored model has the order of the
/// saved one: the archive stores places, and restored entries get the serial numbers of this process. Objects no longer
/// in the model have the place serials.size(). Restoring throws Error if a place is not in the model, or places do not
/// ascend.
template <class Entry, class Serialize>
void serializeEntries(StateArchive& archive, const std::vector<std::uint64_t>& serials, std::vector<Entry>& entries,
                      Serialize serialize) {
  std::uint64_t size = serials.size();
  archive.value("size of the model", size);
  if (size != serials.size()) {
    archive.refuse("It is of a model with " + std::to_string(size) + " systems or interactions where this one has " +
                   std::to_string(serials.size()) + '.');
  }
  if (archive.restores()) entries.clear();
  entries.resize(archive.count("entries", entries.size()));
  std::uint64_t next = 0;
  for (Entry& entry : entries) {
    const auto found = std::lower_bound(serials.begin(), serials.end(), entry.serial);
    const bool isThere = found != serials.end() && *found == entry.serial;
    std::uint64_t place = isThere ? static_cast<std::uint64_t>(found - serials.begin()) : size;
    archive.value("place", place);
    if (place > size || (place < size && place < next)) {
      archive.refuse("It has an entry in place " + std::to_string(place) + " of " + std::to_string(size) + '.');
    }
    if (place < size) next = place + 1;
    if (archive.restores()) entry.serial = place < size ? serials[place] : goneSerial;
    serialize(entry, static_cast<std::size_t>(place));
  }
}

}  // namespace delassus::detail
