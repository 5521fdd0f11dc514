// SPDX-License-Identifier: Apache-2.0
// What an error of the engine means for whoever asked.
#pragma once

#include "protocol/reply.hpp"

#include <string>
#include <string_view>

namespace skillhost::valkey {

enum class Refusal {
  Other,
  WrongType,  // something else is under the key
  NotANumber, // a value, and no counter
  Overflow,   // of a counter
  NoScript,   // not done: the engine has not seen the script yet
  Moved,
  Asked,        // not done: another node of the cluster has the key
  TryAgain,     // not done: the key is between two nodes
  ClusterDown,  // not done: nobody has the slot
  ReadOnly,     // not done: a replica
  MasterDown,   // not done: a replica without its master
  Loading,      // not done: the engine has just started
  Busy,         // not done: somebody's script runs for long
  Full,         // not done: no memory, disk or replica for a write
  NoPermission, // of this user
  NotLoggedIn,  // the user or password is wrong, or missing
};

// Of the text of an error reply, also when a script or an older engine has put words around it.
Refusal refusalOf(std::string_view error) noexcept;
// It may be otherwise in a while, with nothing changed by the operator.
bool isPassing(Refusal refusal) noexcept;
// For a log: one line, at most some hundred bytes.
std::string shownError(std::string_view error);
// Throws skh::Error for an error reply, with the status that `refusal` stands for: SKH_CORRUPT,
// SKH_INVALID (Overflow), SKH_UNAVAILABLE, SKH_FAILED. Anything else passes.
void throwError(const Reply &reply, const std::string &who);
// The same of what is asked to find the engine, but Refused for a missing right or login: until the
// operator changes something that stays as it is.
void throwRefusal(const Reply &reply, const std::string &who);

} // namespace skillhost::valkey
