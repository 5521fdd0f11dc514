// SPDX-License-Identifier: Apache-2.0
// What an engine answers (RESP2), and what is written to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::valkey {

struct Reply {
  enum class Kind : std::uint8_t { Nil, Text, Status, Error, Integer, List };

  Kind kind = Kind::Nil;
  std::string text; // of Text, Status and Error
  std::int64_t integer = 0;
  std::vector<Reply> elements; // of List

  bool isError() const noexcept { return kind == Kind::Error; }
  bool isStatus(std::string_view word) const noexcept {
    return kind == Kind::Status && text == word;
  }
};

// One command with its arguments, any bytes, as it goes over the wire.
std::string commandOf(std::initializer_list<std::string_view> words);
// EVAL or EVALSHA: the script, or its digest, for one key.
std::string scriptCommand(std::string_view verb, std::string_view script, std::string_view key,
                          std::initializer_list<std::string_view> arguments);

} // namespace skillhost::valkey
