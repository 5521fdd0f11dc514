// SPDX-License-Identifier: Apache-2.0
// `skillhost client-config` makes a client start this server, or connect to one.
#pragma once

#include "app/configuration.hpp"
#include "client.hpp"
#include "client_config_options.hpp"

#include <string>
#include <vector>

namespace skillhost::app {

// Returns the text that adds the server to an empty file of the client, with a line feed at the
// end.
Result<std::string> textToMerge(const ClientInvocation &wanted);

// A text to paste, or a command to run once, ending with a line feed; and a sentence that says
// where it belongs.
struct ClientSnippet {
  std::string text, where;
};
Result<ClientSnippet> clientSnippet(const ClientInvocation &wanted);

// Returns advice for a program that uvx or npx has started from its cache, because the path in the
// entry is invalid when the cache is emptied. Empty for any other program.
std::string cachedProgramAdvice(const std::string &executable);

// Returns the folders of skills that the configuration names, that must exist, and that do not.
std::vector<std::string> missingFolders(const Configuration &configuration);

// Prints the entry, or changes the client's file and reports that. Returns the exit code. If a file
// cannot be changed safely, nothing is written, and the text to merge is printed with the reason.
int configureClient(const ClientInvocation &wanted);

} // namespace skillhost::app
