// SPDX-License-Identifier: Apache-2.0
// Who asks a registry, from Docker's own file of logins.
#pragma once

#include <string>
#include <string_view>

namespace skillhost::oci {

struct Credentials {
  std::string user, secret; // empty: nobody in particular

  bool empty() const noexcept { return secret.empty(); }
  friend bool operator==(const Credentials &, const Credentials &) = default;
};

// Returns the login that `text`, a config.json of Docker or an auth.json of podman, has in `auths`
// for a repository of the registry, "team/skill": of keys with a path, as podman writes them, the
// longest counts. Nobody when it has nothing. Throws std::runtime_error, which says what is wrong
// and never what stands there: where it cannot be read, where the login is kept by a program alone
// (`credsStore`, or `credHelpers` where no login has a key as long), which is not run, or is a
// token of identity, which is not understood.
Credentials credentialsFrom(std::string_view text, const std::string &registry,
                            const std::string &repository);

// Has it no control characters? A header line of HTTP may hold no others.
bool isPrintable(std::string_view text);

} // namespace skillhost::oci
