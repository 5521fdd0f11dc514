// SPDX-License-Identifier: Apache-2.0
// Lists the system calls that a confined process may make, and why. All others are refused.
// doc/isolation.md has the same table, and a test compares the two.
#pragma once

#include <cstdint>
#include <span>

namespace skillhost::process {

// A rule says what the filter checks besides the number of the call.
enum class Rule : std::uint8_t {
  Free,
  FirstIs,   // the first argument is one of `values`
  SecondIs,  // the second argument is one of `values`
  FirstOwn,  // the first argument is the number of this process
  OwnOrNone, // the same, or 0, which also stands for this process
  Open,      // flags and mode are arguments two and three: a new file gets no set-id bit
  OpenAt,    // the same, with arguments three and four
  Creat,     // the mode is the second argument: no set-id bit
  Thread,    // flags start a thread of this process that shares its namespaces and descriptors
  Pair,      // a pair of unix stream sockets
  Internet,  // a TCP or UDP socket, or the kernel's list of addresses
  NoLinger   // level and option are the second and third: not SO_LINGER
};

struct CallValue {
  const char *name;
  std::uint32_t value;
};

struct AllowedCall {
  const char *name;
  int number; // absentCall if this architecture lacks the call
  Rule rule = Rule::Free;
  std::span<const CallValue> values{};
};
constexpr int absentCall = -1;

enum class Needs : std::uint8_t { Nothing, Network };

struct CallGroup {
  Needs needs;
  const char *what;
  const char *why; // reason, with the conditions of its calls
  std::span<const AllowedCall> calls;
};

std::span<const CallGroup> allowedCalls() noexcept;

} // namespace skillhost::process
