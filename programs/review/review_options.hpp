// SPDX-License-Identifier: Apache-2.0
// The arguments of `skillhost review`: their description and their values.
#pragma once

#include "app/surroundings.hpp"
#include "commandline/description.hpp"
#include "commandline/parser.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace skillhost::app {

struct ReviewInvocation {
  enum class Action : std::uint8_t { List, Show, Diff, Approve, Reject, Sign, Export, Import };
  Action action = Action::List;
  bool all = false;                    // list: includes skills without restrictions
  std::string name;                    // for show, diff, approve and reject
  std::string digest;                  // approve, reject: the reviewed content; empty: any
  std::optional<std::string> seen;     // approve, reject: id() of the last decision; none: any
  std::string reason, who;             // for approve and reject
  std::optional<std::int64_t> expires; // likewise, in seconds since 1970
  std::string signingKey;              // absolute; for approve, reject, sign; empty: no signature
  std::string file;                    // absolute; for export (empty: stdout) and import
  bool json = false;
};

CommandDescription reviewDescription();

// Reads the command's own arguments. The configuration is read later.
Result<ReviewInvocation> reviewInvocation(const ParsedArguments &arguments,
                                          const Surroundings &surroundings);

} // namespace skillhost::app
