// SPDX-License-Identifier: Apache-2.0
// Writes JSON directly as bytes, for answers that are serialised once and sent many times.
#pragma once

#include <string>
#include <string_view>

namespace skillhost {

// Appends `text` as a JSON string with its quotes. Invalid UTF-8 becomes U+FFFD, so the output is
// always valid JSON.
void appendJsonString(std::string &out, std::string_view text);

} // namespace skillhost
