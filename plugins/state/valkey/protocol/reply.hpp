// SPDX-License-Identifier: Apache-2.0
// Replies of an engine (RESP2), and the commands sent to it.
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
  std::string text; // only for Text, Status and Error
  std::int64_t integer = 0;
  std::vector<Reply> elements; // only for List

  bool isError() const noexcept { return kind == Kind::Error; }
  bool isStatus(std::string_view word) const noexcept {
    return kind == Kind::Status && text == word;
  }
};

// Encodes one command with its arguments, which may be any bytes.
std::string commandOf(std::initializer_list<std::string_view> words);
// Encodes EVAL or EVALSHA with the script or its digest, for one key.
std::string scriptCommand(std::string_view verb, std::string_view script, std::string_view key,
                          std::initializer_list<std::string_view> arguments);

} // namespace skillhost::valkey
