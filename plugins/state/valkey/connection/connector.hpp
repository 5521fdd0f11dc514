// SPDX-License-Identifier: Apache-2.0
// Opens connections and logs in on each.
#pragma once

#include "connection.hpp"

#include "ground/secret.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace skillhost::valkey {

struct Login {
  std::string user; // empty: the engine's default user
  Secret password;  // empty: none
  int database = 0;
  std::string clientName;
};

// Any thread may use it.
class Connector {
public:
  // Throws skh::Error(SKH_INVALID) if a file for TLS is invalid.
  Connector(Login login, const std::optional<TlsSettings> &tls);

  // Throws as Connection does, and LoginRefused if the engine does not accept the login.
  std::unique_ptr<Connection> open(const Address &address, const Limit &limit) const;
  std::uint64_t opened() const noexcept { return opened_.load(std::memory_order_relaxed); }

private:
  void logIn(Connection &connection, const Limit &limit) const;

  const Login login_;
  const std::unique_ptr<const TlsContext> tls_; // null: without TLS
  mutable std::atomic<std::uint64_t> opened_{0};
};

} // namespace skillhost::valkey
