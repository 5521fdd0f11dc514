// SPDX-License-Identifier: Apache-2.0
// The address of a repository, parsed from the operator's text. It holds no secret.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::github {

enum class Scheme { https, http, ssh, file };

struct Address {
  // Reads https://, ssh://, file://, user@host:path, an absolute path, or "owner/name" below
  // `baseUrl`. Throws skh::Error(SKH_INVALID) for http:// to another machine, for git:// and other
  // schemes, and for an address with a password.
  Address(std::string_view written, std::string_view baseUrl);

  // Reads the http(s):// address of a service. The rules are the same, but the path may be empty.
  // `key` is for the message.
  static Address ofService(std::string_view written, std::string_view key);

  Scheme scheme = Scheme::https;
  std::string url;  // complete, without a trailing '/'; also used in messages and the state file
  std::string host; // lower case, an IPv6 literal in brackets; empty for file
  std::string port; // digits; empty for the default port
  std::string user; // user name of ssh
  std::string path; // path of ssh and file, as sent to the remote
  std::string name; // last part of the path without ".git": the name of a skill at the root

  // Returns an https URL that shows the repository in a browser, or "".
  std::string page() const;
};

// True for 127.0.0.1, [::1] and localhost.
bool isThisMachine(std::string_view host);

// Returns the part before the path in lower case: "https://git.example.org:8443".
std::string originOf(std::string_view url);

// Returns the URL as logs and errors show it: printable, without query and fragment, which may hold
// a secret.
std::string urlWithoutQuery(std::string_view url);

} // namespace skillhost::github
