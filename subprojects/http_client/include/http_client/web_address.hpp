// SPDX-License-Identifier: Apache-2.0
// Addresses of the web: read, made absolute and compared (RFC 3986), by libcurl's parser, which is
// also what asks them.
#pragma once

#include <optional>
#include <string>

namespace skillhost::web {

struct WebAddress {
  std::string url;    // absolute and normal, without a fragment
  std::string origin; // "https://example.org:8443", lower case, without the usual port
  std::string host;   // lower case, an IPv6 literal in brackets
  std::string path;   // begins with '/'
  bool secure = true; // https
};

// What `reference` names when it is read in the document `base`; an absolute address when `base` is
// empty. Nothing for what is no http or https address, has a user or a password, blanks, control
// characters, backslashes or letters beyond ASCII, or more than 2,048 bytes.
std::optional<WebAddress> readWebAddress(const std::string &reference,
                                         const std::string &base = {});

} // namespace skillhost::web
