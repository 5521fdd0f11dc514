// SPDX-License-Identifier: Apache-2.0
// What takes more than one step, done by the engine in one: scripts in Lua, each for one key.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::valkey {

struct Script {
  explicit Script(std::string_view body);
  const std::string body, digest; // SHA-1 in hexadecimal, as EVALSHA wants it
};

// KEYS[1]; ARGV: what is expected, the value, milliseconds or 0. 1: done, 0: it was not so.
const Script &compareAndSetScript();
// KEYS[1]; ARGV: what is expected. 1: done, 0: it is something else, -1: there is none.
const Script &compareAndEraseScript();
// KEYS[1]; ARGV: the difference, milliseconds or 0. The sum, as a text: a number of Lua would lose
// digits.
const Script &addScript();

} // namespace skillhost::valkey
