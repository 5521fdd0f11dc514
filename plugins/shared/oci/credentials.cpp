// SPDX-License-Identifier: Apache-2.0
#include "credentials.hpp"

#include "ground/base64.hpp"
#include "ground/json.hpp"
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

// Names what a key of a file of logins is for: "registry.example", or for podman a part of the path
// behind it, "registry.example/team". Docker's older keys are addresses, of which the host counts:
// "https://registry.example/v1/".
std::string scopeOf(std::string_view key) {
  const std::size_t scheme = key.find("://");
  if (scheme != key.npos) {
    key.remove_prefix(scheme + 3);
    key = key.substr(0, key.find('/'));
  }
  while (key.ends_with('/')) key.remove_suffix(1);
  return key == "index.docker.io" ? "docker.io" : std::string(key);
}

// The longest key that the repository is in; null when there is none. Of several that are about the
// same, that without a scheme.
const Json *scopedMember(const Json &keyed, const std::string &registry,
                         const std::string &repository) {
  const std::string name = registry + '/' + repository + '/';
  const Json *best = nullptr;
  std::size_t longest = 0;
  bool isAddress = false;
  for (const auto &[key, value] : keyed.items()) {
    const std::string scope = scopeOf(key);
    const bool isAlso = key.find("://") != key.npos;
    const bool isBetter =
        scope.size() > longest || (scope.size() == longest && isAddress && !isAlso);
    if (scope.empty() || !name.starts_with(scope + '/') || !isBetter) continue;
    best = &value;
    longest = scope.size();
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
  const Json *const auths = memberOf(*document, "auths");
  const Json *const login = auths == nullptr ? nullptr : scopedMember(*auths, registry, repository);
  const bool isLogin = login != nullptr && login->is_object();
  Credentials read;
  if (isLogin) read = {loginText(*login, "username"), loginText(*login, "password")};
  if (const std::string both = isLogin ? loginText(*login, "auth") : ""; !both.empty()) {
    const std::optional<std::string> plain = decodeBase64(both);
    const std::size_t colon = plain ? plain->find(':') : std::string::npos;
    if (colon == std::string::npos)
      throw std::runtime_error("\"auth\" of " + registry + " is no base64 of user:password");
    read = {plain->substr(0, colon), plain->substr(colon + 1)};
  }
  if (isLogin && !loginText(*login, "identitytoken").empty())
    throw std::runtime_error("the login for " + registry +
                             " is a token of identity, which is not understood: give user and "
                             "token instead");
  // A login that stands here is used, though a program may have another one.
  if (read.empty()) {
    const Json *const helpers = memberOf(*document, "credHelpers");
    const Json *const helper =
        helpers == nullptr ? nullptr : scopedMember(*helpers, registry, repository);
    if (helper != nullptr && helper->is_string() && !helper->get<std::string>().empty())
      refuseProgram("credHelpers", helper->get<std::string>());
    if (const std::string program = loginText(*document, "credsStore"); isLogin && !program.empty())
      refuseProgram("credsStore", program);
  }
  if (!isPrintable(read.user) || !isPrintable(read.secret))
    throw std::runtime_error("the login for " + registry + " holds control characters");
  return read;
}

} // namespace skillhost::oci
