// SPDX-License-Identifier: Apache-2.0
// Base64 for URLs without padding (RFC 4648 section 5), as tokens and keys use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace skillhost::encoding {

std::string encodeBase64Url(std::string_view bytes);
// Nothing for padding, white space, foreign characters, or bits left over: every text that decodes
// is the only spelling of its bytes.
std::optional<std::string> decodeBase64Url(std::string_view text);

} // namespace skillhost::encoding
