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

// Returns what Docker asks a helper for.
std::string serverOf(const std::string &registry) {
  const std::string name = withOneName(registry);
  return name == "docker.io" ? "https://index.docker.io/v1/" : name;
}

Login loginOfHelper(const char *key, const std::string &helper, const std::string &registry,
                    const AllowedHelpers &allowed) {
  if (!allowed.names.contains(helper))
    throw std::runtime_error(std::string(key) +
                             " keeps the login in the program docker-credential-" +
                             paths::printable(helper) + ", which is only run if " +
                             allowed.setting + " names it; or else give user and token");
  return {{}, helper, serverOf(registry)};
}

// Returns the login in one entry of `auths`.
Credentials storedCredentials(const Json &login, const std::string &registry) {
  if (const std::string token = loginText(login, "identitytoken"); !token.empty())
    return {"", token, true};
  const std::string both = loginText(login, "auth");
  if (both.empty()) return {loginText(login, "username"), loginText(login, "password")};
  const std::optional<std::string> plain = decodeBase64(both);
  const std::size_t colon = plain ? plain->find(':') : std::string::npos;
  if (colon == std::string::npos)
    throw std::runtime_error("\"auth\" of " + registry + " is no base64 of user:password");
  return {plain->substr(0, colon), plain->substr(colon + 1)};
}

} // namespace

bool isPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != '\x7f'; });
}

bool isHelperName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool isSameRegistry(std::string_view one, std::string_view other) {
  const auto host = [](std::string_view name) {
    const std::string scope = scopeOf(name);
    return scope.substr(0, scope.find('/'));
  };
  return host(one) == host(other);
}

Login loginFrom(std::string_view text, const std::string &registry, const std::string &repository,
                const AllowedHelpers &allowed) {
  const std::optional<Json> document = readJsonObject(text);
  if (!document) throw std::runtime_error("it is no JSON object");
  const Scoped found = scopedMember(memberOf(*document, "auths"), registry, repository);
  const Scoped helper = scopedMember(memberOf(*document, "credHelpers"), registry, repository);
  const std::string program = helper.value != nullptr && helper.value->is_string()
                                  ? helper.value->get<std::string>()
                                  : std::string();
  // A login with a shorter key is meant for other repositories of the registry.
  if (!program.empty() && helper.length > found.length)
    return loginOfHelper("credHelpers", program, registry, allowed);
  const bool isListed = found.value != nullptr && found.value->is_object();
  Login read;
  if (isListed) read.credentials = storedCredentials(*found.value, registry);
  if (!isPrintable(read.credentials.user) || !isPrintable(read.credentials.secret))
    throw std::runtime_error("the login for " + registry + " holds control characters");
  // A login in the file takes precedence over one that a program may have.
  if (!read.empty()) return read;
  if (!program.empty()) return loginOfHelper("credHelpers", program, registry, allowed);
  const std::string store = loginText(*document, "credsStore");
  // Docker lists each login of the store under `auths`. Otherwise the store need not know the
  // registry, so a store that may not be run is no failure.
  if (!store.empty() && (isListed || allowed.names.contains(store)))
    return loginOfHelper("credsStore", store, registry, allowed);
  return read;
}

} // namespace skillhost::oci
