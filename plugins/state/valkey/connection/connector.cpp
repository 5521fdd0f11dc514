// SPDX-License-Identifier: Apache-2.0
#include "connector.hpp"

#include "../refusal.hpp"

#include <string.h> // NOLINT(modernize-deprecated-headers): <cstring> promises no explicit_bzero

namespace skillhost::valkey {
namespace {

// Text that contains the password; it is overwritten when it is destroyed.
struct WipedCommand {
  explicit WipedCommand(std::string command) : text(std::move(command)) {}
  ~WipedCommand() { ::explicit_bzero(text.data(), text.size()); }
  WipedCommand(const WipedCommand &) = delete;
  WipedCommand &operator=(const WipedCommand &) = delete;
  std::string text;
};

} // namespace

Connector::Connector(Login login, const std::optional<TlsSettings> &tls)
    : login_(std::move(login)), tls_(tls ? std::make_unique<const TlsContext>(*tls) : nullptr) {}

std::unique_ptr<Connection> Connector::open(const Address &address, const Limit &limit) const {
  auto connection = std::make_unique<Connection>(address, tls_.get(), limit);
  logIn(*connection, limit);
  opened_.fetch_add(1, std::memory_order_relaxed);
  return connection;
}

void Connector::logIn(Connection &connection, const Limit &limit) const {
  const std::string who = connection.address().text();
  const auto require = [&](const Reply &reply, const char *what) {
    if (!reply.isError()) return;
    const Refusal refusal = refusalOf(reply.text);
    if (isPassing(refusal)) throw ConnectionLost(who + " is not ready: " + shownError(reply.text));
    throw LoginRefused(who + " refuses " + what + ": " + shownError(reply.text));
  };
  if (!login_.password.empty()) {
    const std::string_view password = login_.password.reveal();
    const WipedCommand command(login_.user.empty() ? commandOf({"AUTH", password})
                                                   : commandOf({"AUTH", login_.user, password}));
    require(connection.ask(command.text, limit),
            login_.user.empty() ? "the password" : "the user and password");
  }
  std::string commands = commandOf({"CLIENT", "SETNAME", login_.clientName});
  const std::string database = std::to_string(login_.database);
  if (login_.database != 0) commands += commandOf({"SELECT", database});
  connection.send(commands, limit);
  // The name only helps the operator, so a user without the right to set it may go without.
  const Reply named = connection.receive(limit);
  if (named.isError() && refusalOf(named.text) != Refusal::NoPermission)
    require(named, "this client (is a password needed?)");
  if (login_.database != 0) require(connection.receive(limit), "the database of that number");
}

} // namespace skillhost::valkey
