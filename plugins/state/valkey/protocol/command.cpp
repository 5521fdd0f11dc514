// SPDX-License-Identifier: Apache-2.0
#include "reply.hpp"

#include <array>
#include <charconv>
#include <span>

namespace skillhost::valkey {
namespace {

void addHead(std::string &to, char kind, std::size_t number) {
  std::array<char, 24> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  ((to += kind).append(digits.data(), end)) += "\r\n";
}

std::string encoded(std::span<const std::string_view> first,
                    std::span<const std::string_view> second) {
  constexpr std::size_t maxHeaderBytes = 16;
  std::size_t size = maxHeaderBytes;
  for (const auto part : {first, second})
    for (const std::string_view word : part) size += word.size() + maxHeaderBytes;
  std::string command;
  command.reserve(size);
  addHead(command, '*', first.size() + second.size());
  for (const auto part : {first, second})
    for (const std::string_view word : part) {
      addHead(command, '$', word.size());
      (command += word) += "\r\n";
    }
  return command;
}

} // namespace

std::string commandOf(std::initializer_list<std::string_view> words) { return encoded(words, {}); }

std::string scriptCommand(std::string_view verb, std::string_view script, std::string_view key,
                          std::initializer_list<std::string_view> arguments) {
  const std::array<std::string_view, 4> head{verb, script, "1", key};
  return encoded(head, arguments);
}

} // namespace skillhost::valkey
