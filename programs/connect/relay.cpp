// SPDX-License-Identifier: Apache-2.0
#include "relay.hpp"

#include "base/log.hpp"
#include "base/orderly_end.hpp"
#include "connection/connector.hpp"
#include "net/stdio.hpp"
#include "rpc/long_message.hpp"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <utility>

namespace skillhost {
namespace {

// The signal handler uses these.
StdioTransport *reading = nullptr;
Connector *connecting = nullptr;

void stopConnecting(int) {
  if (reading != nullptr) reading->stop();
  if (connecting != nullptr) connecting->stop();
}

void handleSignals(StdioTransport *transport, Connector *connector) {
  reading = transport;
  connecting = connector;
  struct sigaction action{};
  action.sa_handler = transport != nullptr ? stopConnecting : SIG_DFL;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGINT, &action, nullptr);
}

} // namespace

int relayStdio(ConnectSettings settings) {
  ::signal(SIGPIPE, SIG_IGN);
  const std::size_t maxMessageBytes = settings.maxRequestBytes;
  // A query may hold a secret.
  const std::string shown = settings.url.substr(0, settings.url.find('?'));
  StdioTransport transport(STDIN_FILENO, STDOUT_FILENO, maxMessageBytes);
  Connector connector(
      std::move(settings), [&transport](Fragments message) { transport.send(std::move(message)); },
      [&transport] { return transport.full(); });
  handleSignals(&transport, &connector);
  log::info("connect", "carrying standard input and output to " + shown);
  LongMessage tooLong;
  const auto end = transport.run({[&](std::string_view line) { connector.receive(line); },
                                  [&](std::string_view piece) { tooLong.add(piece); },
                                  [&](std::size_t limit) {
                                    connector.refuseTooLong(limit, tooLong.id());
                                    tooLong = {};
                                  }});
  // A user who pipes requests in and closes the pipe still gets the answers.
  if (end != StdioTransport::End::Input) connector.stop();
  connector.finish();
  transport.finish(patienceAtEnd);
  log::info("connect", end == StdioTransport::End::Stopped ? "stopped" : "the client has gone");
  handleSignals(nullptr, nullptr);
  return 0;
}

} // namespace skillhost
