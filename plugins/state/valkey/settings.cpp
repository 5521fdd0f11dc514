// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <algorithm>

namespace skillhost::valkey {
namespace {

[[noreturn]] void refuse(const std::string &why) { throw skh::Error(SKH_INVALID, why); }

Address addressSetting(const std::string &key, const std::string &text, std::uint16_t port) {
  const auto address = readAddress(text, port);
  if (!address)
    refuse(key + ": must be host:port, [address]:port or the path of a socket, is \"" + text +
           "\"");
  return *address;
}

std::vector<Address> addressesSetting(const skh::Config &config, const std::string &key,
                                      std::uint16_t port) {
  std::vector<Address> addresses;
  const std::vector<std::string> texts = config.texts(key);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string name = key + "[" + std::to_string(i) + "]";
    addresses.push_back(addressSetting(name, texts[i], port));
    if (addresses.back().isPath()) refuse(name + ": must be a host, not the path of a socket");
  }
  if (addresses.empty()) refuse(key + ": names no address");
  return addresses;
}

Settings::Span spanSetting(const skh::Config &config, const char *key, std::int64_t fallback) {
  const std::int64_t span = config.integer(key, fallback);
  constexpr std::int64_t maximum = 600'000;
  if (span < 1 || span > maximum) refuse(std::string(key) + ": must be 1 to 600000 milliseconds");
  return Settings::Span{span};
}

std::optional<TlsSettings> tlsSettings(const skh::Config &config) {
  TlsSettings tls{config.text("ca_file", ""), config.text("client_certificate", ""),
                  config.text("client_key", ""), config.text("server_name", "")};
  if (tls.certificate.empty() != tls.key.empty())
    refuse("client_certificate, client_key: one is of no use without the other");
  return tls;
}

std::string nameOf(const skh::Config &config, const skh::Host &host) {
  std::string name = config.text("client_name", "skillhost:" + std::string(host.instance()));
  // CLIENT SETNAME only accepts these characters.
  std::ranges::replace_if(name, [](char c) { return c <= ' ' || c > '~'; }, '-');
  return name;
}

void checkLogin(const Login &login, const std::string &prefix) {
  if (!login.user.empty() && login.password.empty())
    refuse(prefix + "user: is of no use without " + prefix + "password");
}

bool isThisMachine(const Address &address) {
  return address.isPath() || address.host == "localhost" || address.host == "::1" ||
         address.host.starts_with("127.");
}

} // namespace

Settings::Settings(const skh::Config &config, const skh::Host &host)
    : timeout(spanSetting(config, "timeout_ms", 1'000)),
      connectTimeout(spanSetting(config, "connect_timeout_ms", 2'000)),
      ping(spanSetting(config, "ping_ms", 5'000)),
      maxPause(spanSetting(config, "longest_pause_ms", 5'000)),
      checkPrefix(config.text("check_prefix", "skillhost:")) {
  const bool isSingle = config.has("address"), hasSentinels = config.has("sentinels"),
             isCluster = config.has("cluster");
  if (static_cast<int>(isSingle) + static_cast<int>(hasSentinels) + static_cast<int>(isCluster) !=
      1)
    refuse("address, sentinels, cluster: exactly one of them is required");
  if (isSingle) {
    addresses.push_back(addressSetting("address", config.text("address"), Address::usualPort));
  } else if (hasSentinels) {
    form = Form::Sentinel;
    addresses = addressesSetting(config, "sentinels", Address::usualSentinelPort);
    masterName = config.text("master_name", "");
    if (masterName.empty()) refuse("master_name: is required with sentinels");
  } else {
    form = Form::Cluster;
    addresses = addressesSetting(config, "cluster", Address::usualPort);
  }
  login.user = config.text("user", "");
  login.password = Secret(config.text("password", ""));
  login.database = static_cast<int>(config.integer("database", 0));
  login.clientName = nameOf(config, host);
  if (isCluster && login.database != 0) refuse("database: a cluster only has database 0");
  checkLogin(login, "");
  sentinelLogin.user = config.text("sentinel_user", "");
  sentinelLogin.password = Secret(config.text("sentinel_password", ""));
  sentinelLogin.clientName = login.clientName;
  checkLogin(sentinelLogin, "sentinel_");
  const bool hasTls = config.flag("tls", false);
  if (hasTls) {
    tls = tlsSettings(config);
    if (isSingle && addresses.front().isPath()) refuse("tls: is of no use for a local socket");
  } else {
    for (const char *const key : {"ca_file", "server_name", "client_certificate", "client_key"})
      if (config.has(key)) refuse(std::string(key) + ": is of no use without tls: true");
  }
  if (config.flag("sentinel_tls", hasTls)) sentinelTls = tlsSettings(config);
  sendsPasswordUnencrypted =
      !hasTls && !login.password.empty() && !std::ranges::all_of(addresses, isThisMachine);
}

} // namespace skillhost::valkey
