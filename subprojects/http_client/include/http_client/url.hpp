// SPDX-License-Identifier: Apache-2.0
// Addresses that a provider may have.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::web {

// https://, or http:// to 127.0.0.1, [::1] or localhost; with a host, without user, fragment,
// blanks or control characters; at most 2,048 bytes.
bool isAllowedUrl(std::string_view url);
// Without query, for messages.
std::string_view withoutQuery(std::string_view url);
// The part before the path: "https://id.example.org:8443".
std::string_view originOf(std::string_view url);
// As a value of application/x-www-form-urlencoded: everything but letters, digits and - . _ ~ is
// %XX.
std::string formEncoded(std::string_view text);

} // namespace skillhost::web
