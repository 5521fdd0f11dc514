// SPDX-License-Identifier: Apache-2.0
// The config objects of plugins, and single secrets: references resolved on the way in, masked on
// the way out.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"
#include "settings/reading.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app {

// The value as JSON. In its texts `${env:NAME}`, `${file:PATH}` and a whole `env:NAME` become what
// they name (`$${` is a plain `${`); `~/`, `./` and `../` at the start become absolute paths.
// What was named, and the texts under a key like token, secret or password, are noted in
// reading.secrets and registered with log::redact. What cannot be resolved is a problem.
Json readPluginConfig(Reading &reading, const Written &value);

// How a text is written so that it is read as itself: `${` as `$${`. Fails, naming what it would be
// read as, when there is no way: a whole `env:NAME`, or a path's beginning.
Result<std::string> writtenLiterally(const std::string &text);

// May a variable of the environment have this name?
bool isVariableName(std::string_view text);

// Returns the name of the variable that a secret is meant to come from, as a shell, Windows or a
// workflow of GitHub writes it: ${NAME}, $NAME, %NAME%, ${{ secrets.NAME }}. The text is empty if
// it names none. Nobody looks these up.
std::string unresolvedVariable(std::string_view text);

// One text, its references resolved as above; noted as a secret when it is one by itself.
std::string readReference(Reading &reading, const Written &value, bool secret);

// A copy with every secret in its texts replaced by ***masked***.
Json masked(const Json &config, std::vector<std::string> secrets);

} // namespace skillhost::app
