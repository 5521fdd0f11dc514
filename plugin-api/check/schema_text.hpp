// SPDX-License-Identifier: Apache-2.0
// Checks the config_schema of a plugin as a host does.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::check {

// Returns the reason why a host cannot use `schema`, which is one JSON object; empty if it can. A
// host compiles a pattern when a configuration has a text for it; this compiles all of them.
std::string faultInSchema(std::string_view schema);

} // namespace skillhost::check
