// SPDX-License-Identifier: Apache-2.0
// The scans behind inspectContent: each goes over a document once and reports the bytes it noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace skillhost {

enum class Unwise : std::uint8_t {
  TagCharacter,
  BidiControl,
  ZeroWidth,
  HiddenInstruction,
  InlineCommand,
  FetchAndRun,
  DecodeAndRun,
};

using NoticeUnwise = std::function<void(Unwise, std::size_t at)>;

// Characters nobody sees. Emoji flags and joiners between letters of their scripts are left alone.
void scanHiddenCharacters(std::string_view document, const NoticeUnwise &notice);
// HTML comments that speak to the reader.
void scanComments(std::string_view document, const NoticeUnwise &notice);
// !`command` blocks, curl | sh and base64 -d | sh.
void scanCommands(std::string_view document, const NoticeUnwise &notice);

} // namespace skillhost
