// SPDX-License-Identifier: Apache-2.0
// Secrets in the config objects of plugins and in single settings. References are resolved when
// they are read, and secrets are masked when they are shown.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"
#include "settings/reading.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace skillhost::settings {

// Returns the value as JSON. In its texts, `${env:NAME}`, `${file:PATH}` and a whole `env:NAME` are
// replaced by the value of their target (`$${` is a plain `${`), and a leading `~/`, `./` or `../`
// becomes an absolute path. Resolved values, and the texts under a key like token, secret or
// password, are added to reading.secrets and registered with log::redact. A reference that cannot
// be resolved is a problem.
Json readPluginConfig(Reading &reading, const Written &value);

// Escapes a text so that it is read back unchanged: `${` becomes `$${`. Fails if that is
// impossible, for a whole `env:NAME` or a text that begins as a path does; the failure names how
// the text would be read.
Result<std::string> writtenLiterally(const std::string &text);

// True if a variable of the environment may have this name.
bool isVariableName(std::string_view text);

// Returns the name of a variable that is written as a shell, Windows or a workflow of GitHub would:
// ${NAME}, $NAME, %NAME%, ${{ secrets.NAME }}. Empty if the text names none. The server does not
// resolve these forms, but the author probably expects that it does.
std::string unresolvedVariable(std::string_view text);

// Returns a single text with its references resolved as above. If `secret` is true, the text itself
// is noted as a secret, too.
std::string readReference(Reading &reading, const Written &value, bool secret);

// Returns the URL with *** in place of the name and the password before its host. Other texts stay,
// and so does a name without a password in a URL of ssh.
std::string maskedUrl(std::string_view url);

// Returns a copy with ***masked*** in place of every secret in its texts, and with each text as
// maskedUrl() returns it.
Json masked(const Json &config, std::vector<std::string> secrets);

} // namespace skillhost::settings
