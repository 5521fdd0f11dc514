// SPDX-License-Identifier: Apache-2.0
// The system calls that a confined process may make, and why. doc/isolation.md has the same table,
// and a test compares the two. What is not here is refused.
#pragma once

#include <cstdint>
#include <span>

namespace skillhost::process {

// What the filter looks at besides the number of the call.
enum class Rule : std::uint8_t {
  Free,
  FirstIs,   // the first argument is one of `values`
  SecondIs,  // the second one
  FirstOwn,  // the first one is the number of this process
  OwnOrNone, // or 0, which means the same
  Open,      // flags and mode are the second and third argument: no set-id bit in what is made
  OpenAt,    // the third and fourth
  Creat,     // the mode is the second
  Thread,    // flags: a thread of this process, in its namespaces, with its descriptors
  Pair,      // of unix stream sockets
  Internet,  // a TCP or UDP socket, or the kernel's list of addresses
  NoLinger   // level and option are the second and third: not SO_LINGER
};

struct CallValue {
  const char *name;
  std::uint32_t value;
};

struct AllowedCall {
  const char *name;
  int number; // absentCall where this architecture lacks it
  Rule rule = Rule::Free;
  std::span<const CallValue> values{};
};
constexpr int absentCall = -1;

enum class Needs : std::uint8_t { Nothing, Network };

struct CallGroup {
  Needs needs;
  const char *what;
  const char *why; // with the conditions of its calls
  std::span<const AllowedCall> calls;
};

std::span<const CallGroup> allowedCalls() noexcept;

} // namespace skillhost::process
