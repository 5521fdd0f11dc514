// SPDX-License-Identifier: Apache-2.0
// The arguments of `skillhost review`: their description, and what they say.
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
  bool all = false;                    // list: those that are simply served, too
  std::string name;                    // of show, diff, approve and reject
  std::string digest;                  // of approve and reject: what was looked at; empty: any
  std::optional<std::string> seen;     // of these: Decision::id() of the last decision; none: any
  std::string reason, who;             // of approve and reject
  std::optional<std::int64_t> expires; // the same, in seconds since 1970
  std::string signingKey; // absolute; of approve, reject and sign; empty: nothing is signed
  std::string file;       // absolute; of export (empty: standard output) and import
  bool json = false;
};

CommandDescription reviewDescription();

// Reads the command's own arguments. The configuration is read later.
Result<ReviewInvocation> reviewInvocation(const ParsedArguments &given,
                                          const Surroundings &surroundings);

} // namespace skillhost::app
