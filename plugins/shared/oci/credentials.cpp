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

// "https://index.docker.io/v1/" is what Docker calls its own registry.
const Json *loginOf(const Json &auths, const std::string &registry) {
  for (const std::string &name :
       {registry, "https://" + registry, "https://" + registry + "/", "http://" + registry,
        registry == "docker.io" ? std::string("https://index.docker.io/v1/") : registry})
    if (const Json *const login = memberOf(auths, name.c_str()); login != nullptr) return login;
  return nullptr;
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

Credentials credentialsFrom(std::string_view text, const std::string &registry) {
  const std::optional<Json> document = readJsonObject(text);
  if (!document) throw std::runtime_error("it is no JSON object");
  if (const Json *const helpers = memberOf(*document, "credHelpers"); helpers != nullptr)
    if (const std::string program = loginText(*helpers, registry.c_str()); !program.empty())
      refuseProgram("credHelpers", program);
  const Json *const auths = memberOf(*document, "auths");
  const Json *const login = auths == nullptr ? nullptr : loginOf(*auths, registry);
  if (login == nullptr) return {};
  if (!loginText(*login, "identitytoken").empty())
    throw std::runtime_error("the login for " + registry +
                             " is a token of identity, which is not understood: give user and "
                             "token instead");
  Credentials read{loginText(*login, "username"), loginText(*login, "password")};
  if (const std::string both = loginText(*login, "auth"); !both.empty()) {
    const std::optional<std::string> plain = decodeBase64(both);
    const std::size_t colon = plain ? plain->find(':') : std::string::npos;
    if (colon == std::string::npos)
      throw std::runtime_error("\"auth\" of " + registry + " is no base64 of user:password");
    read = {plain->substr(0, colon), plain->substr(colon + 1)};
  }
  if (read.empty()) // the login is there, what it is made of is elsewhere
    if (const std::string program = loginText(*document, "credsStore"); !program.empty())
      refuseProgram("credsStore", program);
  if (!isPrintable(read.user) || !isPrintable(read.secret))
    throw std::runtime_error("the login for " + registry + " holds control characters");
  return read;
}

} // namespace skillhost::oci
