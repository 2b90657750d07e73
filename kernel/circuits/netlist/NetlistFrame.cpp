// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/netlist/NetlistFrame.hpp>

namespace delassus {

std::pair<const NetlistModel*, NetlistFrame*> NetlistFrame::model(std::string_view name) {
  for (NetlistFrame* frame = this; frame != nullptr; frame = frame->around) {
    const auto found = frame->block.models.find(name);
    if (found != frame->block.models.end()) return {&found->second, frame};
  }
  return {nullptr, nullptr};
}

std::pair<const NetlistBlock*, NetlistFrame*> NetlistFrame::subcircuit(std::string_view name) {
  for (NetlistFrame* frame = this; frame != nullptr; frame = frame->around) {
    const auto found = frame->block.blocks.find(name);
    if (found != frame->block.blocks.end()) return {found->second.get(), frame};
  }
  return {nullptr, nullptr};
}

}  // namespace delassus
