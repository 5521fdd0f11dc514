// SPDX-License-Identifier: Apache-2.0
// Where a repository is, read from what an operator wrote. Holds no secret.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::github {

enum class Scheme { https, http, ssh, file };

struct Address {
  // Reads https://, ssh://, file://, user@host:path, an absolute path, or "owner/name" below
  // `baseUrl`. Throws skh::Error(SKH_INVALID): http:// is for this machine alone, git:// and other
  // schemes are refused, and so is an address with a password.
  Address(std::string_view written, std::string_view baseUrl);

  // Reads the http(s):// address of a service, with the same rules but that it may have no path.
  // `key` is for the message.
  static Address ofService(std::string_view written, std::string_view key);

  Scheme scheme = Scheme::https;
  std::string url;  // complete, without a trailing '/'; for messages and the state file too
  std::string host; // lower case, an IPv6 literal in brackets; empty for file
  std::string port; // digits, or empty for the usual one
  std::string user; // of ssh
  std::string path; // of ssh and file, as the other side gets it
  std::string name; // last part of the path without ".git": what a skill at the root is called

  // An https URL under which a browser shows it, or empty.
  std::string page() const;
};

// 127.0.0.1, [::1] or localhost.
bool isThisMachine(std::string_view host);

// The part before the path, lower case: "https://git.example.org:8443".
std::string originOf(std::string_view url);

// Returns the URL as logs and errors show it: printable, without query and fragment, which may hold
// a secret.
std::string urlWithoutQuery(std::string_view url);

} // namespace skillhost::github
