// SPDX-License-Identifier: Apache-2.0
// Does what small programs do to a text that is known: base64, xxd, printf, tr, rev, sed. Finds a
// text in a list.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace skillhost {

template <std::size_t count>
bool isOneOf(const std::array<std::string_view, count> &all, std::string_view one) noexcept {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// Ignores white space and missing padding. Returns nothing for other text.
std::optional<std::string> decodedBase64(std::string_view text);
std::optional<std::string> decodedBase32(std::string_view text);
// Ignores everything but digits, as `xxd -r -p` does.
std::string decodedHexadecimal(std::string_view text);
// Replaces `\n`, `\x63`, `\143`, `\0143`, `\u0063` and the like.
std::string withoutEscapes(std::string_view text);
// Returns the output of printf for these arguments.
std::string formatted(std::string_view format, std::span<const std::string> arguments);
std::string reversed(std::string_view text);
// Returns the output of `tr from to`; an empty `to` deletes.
std::string translated(std::string_view text, std::string_view from, std::string_view to);
// Returns the output of a sed command `s/a/b/g` with a plain `a`, and the text for other commands.
std::string substituted(std::string_view text, std::string_view command);
// Returns the text that a browser shows for HTML: without tags, and with characters for entities.
std::string withoutTags(std::string_view html);
// Replaces `&lt;`, `&#124;`, `&#x7c;` and the like by ASCII characters.
std::string withoutEntities(std::string_view text);
// Converts the UTF-16 without a byte order mark that PowerShell decodes to ASCII.
std::string withoutZeroBytes(std::string_view text);

} // namespace skillhost
