// SPDX-License-Identifier: Apache-2.0
// Reads the login for a registry from Docker's own file of logins.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace skillhost::oci {

struct Credentials {
  std::string user, secret; // empty: anonymous
  // The secret is an identity token, which the registry's authority exchanges for an access token.
  bool isIdentity = false;

  bool empty() const noexcept { return secret.empty(); }
  friend bool operator==(const Credentials &, const Credentials &) = default;
};

// The programs docker-credential-NAME that may be run, and the setting that lists their names.
struct AllowedHelpers {
  std::set<std::string> names;
  std::string setting; // "docker_helpers", for messages
};

// The login itself, or the program that keeps it.
struct Login {
  Credentials credentials;
  std::string helper; // "pass" for docker-credential-pass; "": none
  std::string server; // what the helper is asked for: the registry as Docker names it

  bool empty() const noexcept { return credentials.empty() && helper.empty(); }
  friend bool operator==(const Login &, const Login &) = default;
};

// Returns the login that `text`, a config.json of Docker or an auth.json of podman, has for a
// repository of the registry, "team/skill". Among keys with a path, as podman writes them, the
// longest counts. A login in `auths` takes precedence over `credHelpers` unless its key is shorter,
// and both over `credsStore`. Returns an empty login if there is none. Runs nothing. Throws
// std::runtime_error that never shows the content if the text cannot be read, or if only a program
// that is not allowed keeps the login.
Login loginFrom(std::string_view text, const std::string &registry, const std::string &repository,
                const AllowedHelpers &allowed);

// True if `name` can be that of a helper: a-z, 0-9 and "-".
bool isHelperName(std::string_view name);

// True for two names of the same registry, with or without a scheme and a path.
bool isSameRegistry(std::string_view one, std::string_view other);

// True if the text has no control characters, which a header line of HTTP may not contain.
bool isPrintable(std::string_view text);

} // namespace skillhost::oci
