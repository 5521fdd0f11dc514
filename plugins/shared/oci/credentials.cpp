// SPDX-License-Identifier: Apache-2.0
#include "credentials.hpp"

#include "ground/base64.hpp"
#include "ground/json.hpp"
#include "ground/text.hpp"
#include "paths/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace skillhost::oci {
namespace {

std::string loginText(const Json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

const Json *memberOf(const Json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

// Returns a registry's name in its common form: in lower case, without the default port of https,
// and with the shortest of the three names of Docker's own registry.
std::string withOneName(std::string scope) {
  scope = asciiLowered(scope);
  constexpr std::string_view usualPort = ":443";
  const std::size_t end = std::min(scope.find('/'), scope.size());
  std::string host = scope.substr(0, end);
  if (host.ends_with(usualPort)) host.resize(host.size() - usualPort.size());
  if (host == "index.docker.io" || host == "registry-1.docker.io") host = "docker.io";
  return host + scope.substr(end);
}

// Returns the part of a registry to which a key in a file of logins applies: "registry.example", or
// for podman also a path, "registry.example/team". Docker's older keys are addresses,
// "https://registry.example/v1/", of which only the host counts.
std::string scopeOf(std::string_view key) {
  const std::size_t scheme = key.find("://");
  if (scheme != key.npos) {
    key.remove_prefix(scheme + 3);
    key = key.substr(0, key.find('/'));
  }
  while (key.ends_with('/')) key.remove_suffix(1);
  return withOneName(std::string(key));
}

struct Scoped {
  const Json *value = nullptr; // null: no key covers the repository
  std::size_t length = 0;      // length of the key's scope
};

// Finds the value of the longest key that covers the repository. Among keys of equal scope, one
// without a scheme takes precedence.
Scoped scopedMember(const Json *keyed, const std::string &registry, const std::string &repository) {
  Scoped best;
  if (keyed == nullptr) return best;
  const std::string name = withOneName(registry) + '/' + repository + '/';
  bool isAddress = false;
  for (const auto &[key, value] : keyed->items()) {
    const std::string scope = scopeOf(key);
    const bool isAlso = key.find("://") != key.npos;
    const bool isBetter =
        scope.size() > best.length || (scope.size() == best.length && isAddress && !isAlso);
    if (scope.empty() || !name.starts_with(scope + '/') || !isBetter) continue;
    best = {&value, scope.size()};
    isAddress = isAlso;
  }
  return best;
}

[[noreturn]] void refuseProgram(const std::string &key, const std::string &program) {
  throw std::runtime_error(key + " keeps it in the program docker-credential-" +
                           paths::printable(program) +
                           ", which is not run: give user and token instead");
}

} // namespace

bool isPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != '\x7f'; });
}

Credentials credentialsFrom(std::string_view text, const std::string &registry,
                            const std::string &repository) {
  const std::optional<Json> document = readJsonObject(text);
  if (!document) throw std::runtime_error("it is no JSON object");
  const Scoped found = scopedMember(memberOf(*document, "auths"), registry, repository);
  const Scoped helper = scopedMember(memberOf(*document, "credHelpers"), registry, repository);
  const std::string program = helper.value != nullptr && helper.value->is_string()
                                  ? helper.value->get<std::string>()
                                  : std::string();
  // A login with a shorter key is meant for other repositories of the registry.
  if (!program.empty() && helper.length > found.length) refuseProgram("credHelpers", program);
  const Json *const login =
      found.value != nullptr && found.value->is_object() ? found.value : nullptr;
  Credentials read;
  if (login != nullptr) read = {loginText(*login, "username"), loginText(*login, "password")};
  if (const std::string both = login != nullptr ? loginText(*login, "auth") : ""; !both.empty()) {
    const std::optional<std::string> plain = decodeBase64(both);
    const std::size_t colon = plain ? plain->find(':') : std::string::npos;
    if (colon == std::string::npos)
      throw std::runtime_error("\"auth\" of " + registry + " is no base64 of user:password");
    read = {plain->substr(0, colon), plain->substr(colon + 1)};
  }
  if (login != nullptr && !loginText(*login, "identitytoken").empty())
    throw std::runtime_error("the login for " + registry +
                             " is a token of identity, which is not understood: give user and "
                             "token instead");
  // A login in the file takes precedence over one that a program may have.
  if (read.empty() && !program.empty()) refuseProgram("credHelpers", program);
  if (const std::string store = loginText(*document, "credsStore");
      read.empty() && login != nullptr && !store.empty())
    refuseProgram("credsStore", store);
  if (!isPrintable(read.user) || !isPrintable(read.secret))
    throw std::runtime_error("the login for " + registry + " holds control characters");
  return read;
}

} // namespace skillhost::oci
