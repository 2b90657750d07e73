// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <string>

namespace delassus::test {

/// Expects that a netlist of these lines after its title is refused with a fault at a line of the text, which counts
/// from 1 with the title (0: at the file), for an element.
inline void expectFault(const std::string& lines, NetlistFault fault, std::size_t line, const std::string& element,
                        const NetlistLimits& limits = {}) {
  SCOPED_TRACE(lines.substr(0, 200));
  try {
    const NetlistDocument document = NetlistDocument::fromString("title\n" + lines, "bad.cir", limits);
    document.netlist();
    ADD_FAILURE() << "no NetlistError was thrown";
  } catch (const NetlistError& error) {
    EXPECT_EQ(toText(error.fault()), toText(fault)) << error.what();
    EXPECT_EQ(error.place().line, line) << error.what();
    EXPECT_EQ(error.element(), element) << error.what();
    const std::string start = "bad.cir:" + (line == 0 ? "" : std::to_string(line) + ":") + " ";
    EXPECT_EQ(std::string(error.what()).find(start), 0U) << error.what();
  }
}

}  // namespace delassus::test
