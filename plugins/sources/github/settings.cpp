// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include "paths/names.hpp"
#include "remote/web_settings.hpp"

#include <skillhost/config.hpp>

#include <algorithm>

namespace skillhost::github {
namespace {

std::uint64_t readNumber(const skh::Config &config, const std::string &key, std::uint64_t fallback,
                         std::int64_t maximum) {
  const std::int64_t value = config.integer(key, static_cast<std::int64_t>(fallback));
  if (value >= 1 && value <= maximum) return static_cast<std::uint64_t>(value);
  throw skh::Error(SKH_INVALID, key + ": must be between 1 and " + std::to_string(maximum));
}

std::string readBaseUrl(const skh::Config &config) {
  std::string base = config.text("base_url", "https://github.com");
  while (base.ends_with('/')) base.pop_back();
  if (!base.starts_with("https://") && !base.starts_with("http://"))
    throw skh::Error(SKH_INVALID, "base_url: must begin with https://");
  return base;
}

std::string readRef(const skh::Config &config) {
  std::string ref = config.text("ref", "");
  const auto isForbidden = [](char c) {
    return c <= ' ' || c == '\x7f' ||
           std::string_view("~^:?*[\\").find(c) != std::string_view::npos;
  };
  if (ref.size() > 255 || ref.starts_with('-') || ref.starts_with('/') || ref.ends_with('/') ||
      ref.find("..") != std::string::npos || std::any_of(ref.begin(), ref.end(), isForbidden))
    throw skh::Error(SKH_INVALID, "ref: \"" + paths::printable(ref) +
                                      "\" must be the name of a branch or tag, or a commit's SHA");
  return ref;
}

std::string readPin(const skh::Config &config) {
  std::string pin = config.text("pin", "");
  const auto isHex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (!pin.empty() && (pin.size() != 40 || !std::all_of(pin.begin(), pin.end(), isHex)))
    throw skh::Error(SKH_INVALID, "pin: must be a whole SHA of a commit, 40 digits 0-9 and a-f");
  return pin;
}

std::string readSubpath(const skh::Config &config) {
  std::string path = config.text("subpath", "");
  while (path.starts_with("./")) path.erase(0, 2);
  while (path.starts_with('/')) path.erase(0, 1);
  while (path.ends_with('/')) path.pop_back();
  if (path == ".") path.clear();
  const std::string framed = "/" + path + "/";
  if (!path.empty() &&
      (!paths::servable(path) || framed.find("//") != std::string::npos ||
       framed.find("/./") != std::string::npos || framed.find("/../") != std::string::npos))
    throw skh::Error(SKH_INVALID, "subpath: \"" + paths::printable(path) +
                                      R"(" must be a path within the repository, without "..")");
  return path;
}

std::chrono::milliseconds readInterval(const skh::Config &config) {
  const double minutes = config.number("refresh_minutes", 60);
  if (minutes < 0 || minutes > 10'080)
    throw skh::Error(SKH_INVALID, "refresh_minutes: must be between 0 and 10080");
  return std::chrono::milliseconds(static_cast<std::int64_t>(minutes * 60'000));
}

std::string readToken(const skh::Config &config, const Address &address) {
  std::string token = config.text("token", "");
  if (token.find_first_of("\r\n") != std::string::npos || token.find('\0') != std::string::npos)
    throw skh::Error(SKH_INVALID, "token: holds a line break");
  if (!token.empty() && address.scheme != Scheme::https && address.scheme != Scheme::http)
    throw skh::Error(SKH_INVALID, "token: is for https:// alone; ssh uses your own keys");
  return token;
}

std::string layoutOf(const skh::Config &config, const Selection &selection, const Limits &limits) {
  std::string text = config.text("base_url", "");
  // This decides which marketplace plugins may be fetched.
  text += config.flag("allow_private_addresses", false) ? "\nprivate\n" : "\n\n";
  text += selection.rootName + '\n' + selection.subpath;
  for (const char *const key : {"include", "exclude"}) {
    text += std::string("\n") + key;
    for (const std::string &pattern : config.texts(key)) text += '\n' + pattern;
  }
  text += selection.hidden ? "\nhidden" : "\n";
  text += selection.marketplace ? "\nforeign" : "\n";
  for (const std::uint64_t limit : {std::uint64_t{limits.maxFiles}, limits.maxFileBytes,
                                    std::uint64_t{limits.maxSkillFiles}, limits.maxSkillBytes})
    text += '\n' + std::to_string(limit);
  return text;
}

std::string withoutSuffix(std::string path) {
  if (path.ends_with(".git")) path.resize(path.size() - 4);
  return path;
}

// True for https://host/owner/name.git, which the API names "/repos/owner/name".
bool hasApiPath(const Address &address) {
  const std::string path = withoutSuffix(address.path);
  const std::size_t slash = path.find('/', 1);
  const bool isHttp = address.scheme == Scheme::https || address.scheme == Scheme::http;
  return isHttp && slash != path.npos && slash != 1 && slash + 1 != path.size() &&
         path.find('/', slash + 1) == path.npos && path.find('%') == path.npos;
}

Via readVia(const skh::Config &config) {
  const std::string via = config.text("via", "auto");
  if (via == "api") return Via::api;
  if (via == "auto" || via == "git") return Via::git;
  throw skh::Error(SKH_INVALID, R"(via: must be "auto", "git" or "api")");
}

bool isGithub(const Address &address) {
  return address.host == "github.com" || address.host == "www.github.com" ||
         address.host.ends_with(".ghe.com");
}

// The API of GitHub has a host of its own, and that of an Enterprise server lies below its address.
std::string usualApiUrl(const Address &address) {
  if (address.host.ends_with(".ghe.com")) return "https://api." + address.host;
  return isGithub(address) ? "https://api.github.com" : originOf(address.url) + "/api/v3";
}

Address readApiUrl(const skh::Config &config, const Address &address) {
  std::string url = config.text("api_url", usualApiUrl(address));
  while (url.ends_with('/')) url.pop_back();
  return Address::ofService(url, "api_url");
}

// True for "auto" if the server is GitHub for certain. The operator did not ask for the API, so the
// token must not go to a host other than that of `url`, and a pinned commit is fetched as it was
// reviewed.
bool readMayTurnToApi(const skh::Config &config, const Address &address) {
  const std::string api = config.text("api_url", "");
  if (config.text("via", "auto") != "auto" || !config.text("pin", "").empty() ||
      !hasApiPath(address) || (!isGithub(address) && api.empty()))
    return false;
  const bool hasToken = !config.text("token", "").empty() ||
                        !config.texts("token_command").empty() ||
                        !config.text("app_id", "").empty();
  return !hasToken || api.empty() || originOf(api) == originOf(usualApiUrl(address));
}

std::string readApiRepository(const Address &address) {
  if (!hasApiPath(address))
    throw skh::Error(SKH_INVALID,
                     "via: \"api\" is for https://<GitHub's host>/owner/name and owner/name alone");
  return "/repos" + withoutSuffix(address.path);
}

bool isNumber(const std::string &text) {
  return !text.empty() && text.size() <= 20 &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

// An app's id is a number or a client id such as "Iv23li…".
bool isAppId(const std::string &text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
  });
}

std::optional<AppCredentials> readApp(const skh::Config &config, const Address &address) {
  const std::string app = config.text("app_id", ""),
                    installation = config.text("app_installation_id", ""),
                    key = config.text("app_private_key", "");
  if (app.empty() && installation.empty() && key.empty()) return std::nullopt;
  for (const auto &[name, value] :
       {std::pair("app_id", &app), std::pair("app_installation_id", &installation),
        std::pair("app_private_key", &key)})
    if (value->empty())
      throw skh::Error(SKH_INVALID, std::string(name) +
                                        ": is missing: app_id, app_installation_id and "
                                        "app_private_key go together");
  if (!config.text("token", "").empty() || !config.texts("token_command").empty())
    throw skh::Error(SKH_INVALID, "app_id: excludes token and token_command: give one of them");
  if (!isAppId(app)) throw skh::Error(SKH_INVALID, "app_id: must be a number or a client id");
  if (!isNumber(installation))
    throw skh::Error(SKH_INVALID, "app_installation_id: must be a number");
  if (address.scheme != Scheme::https && address.scheme != Scheme::http)
    throw skh::Error(SKH_INVALID, "app_id: is for https:// alone");
  return AppCredentials(app, installation, key);
}

} // namespace

Settings::Settings(std::string_view configuration) : Settings(skh::Config(configuration)) {}

Settings::Settings(const skh::Config &config)
    : baseUrl(readBaseUrl(config)), address(config.text("url"), baseUrl), ref(readRef(config)),
      pin(readPin(config)), user(config.text("user", "x-access-token")),
      token(readToken(config, address)), caFile(config.text("ca_file", "")),
      tokenCommand(remote::readTokenCommand(config, token)), app(readApp(config, address)),
      appApi(app ? readApiUrl(config, address).url : std::string()), via(readVia(config)),
      mayTurnToApi(readMayTurnToApi(config, address)),
      apiUrl(via == Via::api || mayTurnToApi ? readApiUrl(config, address) : address),
      apiRepository(via == Via::api || mayTurnToApi ? readApiRepository(address) : std::string{}),
      allowPrivateAddresses(config.flag("allow_private_addresses", false)),
      refreshEvery(readInterval(config)),
      deadline(static_cast<std::int64_t>(readNumber(config, "deadline_ms", 120'000, 3'600'000))) {
  if (user.find(':') != std::string::npos)
    throw skh::Error(SKH_INVALID, "user: must hold no colon");
  selection.subpath = readSubpath(config);
  selection.rootName = address.name;
  if (!selection.subpath.empty())
    selection.rootName = selection.subpath.substr(selection.subpath.rfind('/') + 1);
  selection.include = paths::readPatterns("include", config.texts("include"));
  selection.exclude = paths::readPatterns("exclude", config.texts("exclude"));
  selection.hidden = config.flag("hidden", false);
  selection.marketplace = config.flag("marketplace_plugins", true);
  limits.maxFiles = readNumber(config, "max_files", limits.maxFiles, 10'000'000);
  limits.maxFileBytes = readNumber(config, "max_file_bytes", limits.maxFileBytes, 1'073'741'824);
  limits.maxSkillFiles = readNumber(config, "max_skill_files", limits.maxSkillFiles, 1'000'000);
  limits.maxSkillBytes =
      readNumber(config, "max_skill_bytes", limits.maxSkillBytes, 1'099'511'627'776);
  limits.maxFetchBytes =
      readNumber(config, "max_fetch_bytes", limits.maxFetchBytes, 1'099'511'627'776);
  layout = layoutOf(config, selection, limits);
}

} // namespace skillhost::github
