// SPDX-License-Identifier: Apache-2.0
// The configuration of an instance, checked and complete. Immutable after construction.
#pragma once

#include "address.hpp"
#include "connection/connector.hpp"

#include <skillhost/config.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace skillhost::valkey {

enum class Form { Single, Sentinel, Cluster };

struct Settings {
  using Span = std::chrono::milliseconds;

  // Throws skh::Error(SKH_INVALID) naming the wrong or missing key. Never shows a secret.
  Settings(const skh::Config &config, const skh::Host &host);

  Form form = Form::Single;
  std::vector<Address> addresses; // the engine, the sentinels, or some nodes of the cluster
  std::string masterName;         // only with sentinels
  Login login, sentinelLogin;
  std::optional<TlsSettings> tls, sentinelTls;
  Span timeout{}, connectTimeout{}, ping{}, maxPause{};
  std::string checkPrefix; // prefix of the keys and channels that check() tries
  // `password` is sent without TLS, and not all `addresses` are on this machine. With sentinels,
  // these are the addresses of the sentinels, because those of the engines are not known yet.
  // sentinel_password does not count: it protects no shared state.
  bool sendsPasswordUnencrypted = false;
};

} // namespace skillhost::valkey
