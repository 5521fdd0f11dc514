// SPDX-License-Identifier: Apache-2.0
// Checks and formats the addresses of a provider.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::web {

// Returns true for https://, or http:// to 127.0.0.1, [::1] or localhost, with a host, without
// user, fragment, blanks or control characters, and with at most 2,048 bytes.
bool isAllowedUrl(std::string_view url);
// Returns the address without its query, for messages.
std::string_view withoutQuery(std::string_view url);
// Returns the part before the path: "https://id.example.org:8443".
std::string_view originOf(std::string_view url);
// Encodes a value of application/x-www-form-urlencoded: everything but letters, digits and - . _ ~
// becomes %XX.
std::string formEncoded(std::string_view text);

} // namespace skillhost::web
