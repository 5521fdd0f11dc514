// SPDX-License-Identifier: Apache-2.0
// The config objects of plugins: references to secrets resolved on the way in, masked on the way
// out.
#pragma once

#include "base/json.hpp"
#include "configuration/reading.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// The value as JSON. In its texts `${env:NAME}`, `${file:PATH}` and a whole `env:NAME` become what
// they name (`$${` is a plain `${`); `~/`, `./` and `../` at the start become absolute paths.
// What was named, and the texts under a key like token, secret or password, are noted in
// reading.secrets and registered with log::redact. What cannot be resolved is a problem.
Json readPluginConfig(Reading &reading, const Written &value);

// One text, its references resolved as above; noted as a secret when it is one by itself.
std::string readReference(Reading &reading, const Written &value, bool secret);

// A copy with every secret in its texts replaced by ***masked***.
Json masked(const Json &config, std::vector<std::string> secrets);

} // namespace skillhost::app
