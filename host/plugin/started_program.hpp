// SPDX-License-Identifier: Apache-2.0
// Which program a plugin will start with a configuration: what its schema says of that in
// "x-starts-program". No process of its own lets it.
#pragma once

#include <string>

namespace skillhost {

// Such as "ssh"; empty when the schema says of none. `schema` may be empty. Never throws.
std::string startedProgram(const std::string &schema, const std::string &config);

} // namespace skillhost
