// SPDX-License-Identifier: Apache-2.0
// Finds the program that a plugin will start with a configuration, by "x-starts-program" of its
// schema. A process of its own does not let the plugin start one.
#pragma once

#include <string>

namespace skillhost {

// Returns for instance "ssh"; empty if the schema names none. `schema` may be empty. Never throws.
std::string startedProgram(const std::string &schema, const std::string &config);

} // namespace skillhost
