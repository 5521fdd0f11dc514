// SPDX-License-Identifier: Apache-2.0
// Reads the login for a registry from Docker's own file of logins.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::oci {

struct Credentials {
  std::string user, secret; // empty: anonymous

  bool empty() const noexcept { return secret.empty(); }
  friend bool operator==(const Credentials &, const Credentials &) = default;
};

// Returns the login that `text`, a config.json of Docker or an auth.json of podman, has in `auths`
// for a repository of the registry, "team/skill". Among keys with a path, as podman writes them,
// the longest counts. Returns empty credentials if there is no login. Throws std::runtime_error
// that never shows the content, in three cases: the text cannot be read; only a program keeps the
// login (`credsStore`, or `credHelpers` if no login has a key as long), because programs are not
// run; the login is an identity token, which is not supported.
Credentials credentialsFrom(std::string_view text, const std::string &registry,
                            const std::string &repository);

// True if the text has no control characters, which a header line of HTTP may not contain.
bool isPrintable(std::string_view text);

} // namespace skillhost::oci
