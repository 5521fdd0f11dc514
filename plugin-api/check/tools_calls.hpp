// SPDX-License-Identifier: Apache-2.0
// Calls the functions of a plugin with tools in checks, for a client that cannot answer questions.
#pragma once

#include "instance.hpp"
#include "sinks.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost::check {

constexpr std::size_t maxResultBytes = 4U << 20U;

struct ToolAnswer {
  skh_status status = SKH_FAILED;
  std::string text;
};

// Throws Ending if the call fails.
std::string listTools(Probe &probe, const Instance &instance);
ToolAnswer callTool(const Instance &instance, const StandInCall &call, std::string_view name,
                    std::string_view arguments);
// Returns the name of the first tool in a list; empty if there is none.
std::string firstTool(std::string_view offers);

} // namespace skillhost::check
