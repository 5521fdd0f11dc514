// SPDX-License-Identifier: Apache-2.0
// `skillhost client-config`: a client told to start this server, or to reach one.
#pragma once

#include "client.hpp"
#include "client_config_options.hpp"

#include <string>

namespace skillhost::app {

// The text that adds the server to a file of the client's which is empty, with a line feed at its
// end.
Result<std::string> textToMerge(const ClientInvocation &wanted);

// What is to be pasted, or run once, ends with a line feed; and a sentence that says where it
// belongs.
struct ClientSnippet {
  std::string text, where;
};
Result<ClientSnippet> clientSnippet(const ClientInvocation &wanted);

// Advice for a program that uvx or npx has started from its cache: the path in the entry is gone
// when the cache is emptied. Empty for any other program.
std::string cachedProgramAdvice(const std::string &executable);

// Prints, or changes the client's file and says so. The exit code. When a file cannot be changed
// safely nothing is written, and the text to merge is printed with the reason.
int configureClient(const ClientInvocation &wanted);

} // namespace skillhost::app
