// SPDX-License-Identifier: Apache-2.0
// Scripts in Lua let the engine perform several steps at once, each script for one key.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::valkey {

struct Script {
  explicit Script(std::string_view body);
  const std::string body, digest; // digest: SHA-1 in hexadecimal, for EVALSHA
};

// KEYS[1]; ARGV: expected value, new value, milliseconds or 0. Returns 1 if it was set, 0 if the
// value differs.
const Script &compareAndSetScript();
// KEYS[1]; ARGV: expected value. Returns 1 if it was erased, 0 if the value differs, -1 if there is
// none.
const Script &compareAndEraseScript();
// KEYS[1]; ARGV: difference, milliseconds or 0. Returns the sum as a text, because a number of Lua
// would lose digits.
const Script &addScript();

} // namespace skillhost::valkey
