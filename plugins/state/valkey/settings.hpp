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

  // Throws skh::Error(SKH_INVALID) naming the key that is wrong or lacks; never shows a secret.
  Settings(const skh::Config &config, const skh::Host &host);

  Form form = Form::Single;
  std::vector<Address> addresses; // the engine; the sentinels; some nodes of the cluster
  std::string masterName;         // of sentinels
  Login login, sentinelLogin;
  std::optional<TlsSettings> tls, sentinelTls;
  Span timeout{}, connectTimeout{}, ping{}, longestPause{};
  std::string checkPrefix; // of the keys and channels that check() tries
  // A password goes over a network that is not this machine's without TLS.
  bool isInTheClear = false;
};

} // namespace skillhost::valkey
