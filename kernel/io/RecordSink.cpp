// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/RecordSink.hpp>

namespace delassus {

std::string_view toString(RecordKind kind) {
  switch (kind) {
    case RecordKind::real:
      return "real";
    case RecordKind::integer:
      return "integer";
    case RecordKind::name:
      return "name";
  }
  return "real";
}

std::string_view toString(RecordStatus status) {
  switch (status) {
    case RecordStatus::running:
      return "running";
    case RecordStatus::completed:
      return "completed";
    case RecordStatus::stopped:
      return "stopped";
    case RecordStatus::failed:
      return "failed";
  }
  return "running";
}

std::size_t RecordQuantity::size() const {
  std::size_t numbers = 1;
  for (const std::size_t extent : shape) numbers *= extent;
  return numbers;
}

}  // namespace delassus
