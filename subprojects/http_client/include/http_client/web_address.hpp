// SPDX-License-Identifier: Apache-2.0
// Parses, resolves and compares web addresses (RFC 3986) with libcurl's parser, which also serves
// the requests.
#pragma once

#include <optional>
#include <string>

namespace skillhost::web {

struct WebAddress {
  std::string url;    // absolute and normalised, without a fragment
  std::string origin; // "https://example.org:8443", lower case, no default port
  std::string host;   // lower case, an IPv6 literal in brackets
  std::string path;   // begins with '/'
  bool secure = true; // https
};

// Resolves `reference` against `base`; with an empty `base` it must be absolute. Returns nothing
// for an address that is not http or https, has a user or a password, blanks, control characters,
// backslashes or non-ASCII letters, or more than 2,048 bytes.
std::optional<WebAddress> readWebAddress(const std::string &reference,
                                         const std::string &base = {});

} // namespace skillhost::web
