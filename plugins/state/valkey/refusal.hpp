// SPDX-License-Identifier: Apache-2.0
// Classifies an error reply of the engine.
#pragma once

#include "protocol/reply.hpp"

#include <string>
#include <string_view>

namespace skillhost::valkey {

enum class Refusal {
  Other,
  WrongType,  // the key has a value of another type
  NotANumber, // the value is not a counter
  Overflow,   // the counter would overflow
  NoScript,   // not executed: the engine does not know the script yet
  Moved,
  AskRedirect,  // not executed: another node of the cluster has the key
  TryAgain,     // not executed: the key is moving between two nodes
  ClusterDown,  // not executed: no node has the slot
  ReadOnly,     // not executed: the node is a replica
  MasterDown,   // not executed: the node is a replica without its master
  Loading,      // not executed: the engine has just started
  Busy,         // not executed: another script has been running for long
  Full,         // not executed: no memory, disk or replica for a write
  NoPermission, // the user lacks the right
  NotLoggedIn,  // user or password are wrong or missing
};

// Classifies the text of an error reply, even if a script or an older engine has wrapped it.
Refusal refusalOf(std::string_view error) noexcept;
// True if the error may disappear after a while without action of the operator.
bool isPassing(Refusal refusal) noexcept;
// Shortens an error for a log: one line, at most a few hundred bytes.
std::string shownError(std::string_view error);
// Throws skh::Error for an error reply, with the status that corresponds to its Refusal:
// SKH_CORRUPT, SKH_INVALID (Overflow), SKH_UNAVAILABLE or SKH_FAILED. Does nothing for other
// replies.
void throwError(const Reply &reply, const std::string &who);
// Does the same for replies to commands that find the engine, but throws LoginRefused for a missing
// right or login, which stays until the operator changes something.
void throwRefusal(const Reply &reply, const std::string &who);

} // namespace skillhost::valkey
