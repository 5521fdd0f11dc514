// SPDX-License-Identifier: Apache-2.0
// The arguments of `skillhost inbox`: their description and their values.
#pragma once

#include "commandline/description.hpp"
#include "commandline/parser.hpp"
#include "ground/result.hpp"

#include <cstdint>
#include <string>

namespace skillhost::app {

struct InboxInvocation {
  enum class Action : std::uint8_t { List, Show, Approve, Reject };
  Action action = Action::List;
  bool all = false;        // list: includes decided proposals
  std::string id;          // for show, approve and reject
  std::string reason, who; // for approve and reject
  bool evenIfChanged = false;
  bool json = false;
};

CommandDescription inboxDescription();

// Reads the command's own arguments. The configuration is read later.
Result<InboxInvocation> inboxInvocation(const ParsedArguments &arguments);

} // namespace skillhost::app
