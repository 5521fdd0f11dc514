// SPDX-License-Identifier: Apache-2.0
// Sends the client's requests to the server, each in a POST. A request waits while the server is
// unreachable, is sent again where that is safe, and is answered exactly once.
#pragma once

#include "client_message.hpp"
#include "remote.hpp"
#include "remote_session.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace skillhost {

// Used by one thread only.
class Calls {
public:
  using Clock = Remote::Clock;
  struct Owner {
    std::function<void(std::string_view message)> send; // sends to the client
    std::function<void()> onEnded; // called for each request that began, except subscriptions
  };
  Calls(Remote &remote, RemoteSession &session, std::chrono::milliseconds patience, Owner owner)
      : remote_(remote), session_(session), patience_(patience), owner_(std::move(owner)) {}

  void begin(ClientMessage message);
  // Gives up the request that `message`, a notifications/cancelled, names. Returns false if no
  // running request has that id.
  bool cancel(const ClientMessage &message);
  // Sends the requests that can be sent, and refuses those that have waited too long. Call it again
  // at due(), and when an exchange has ended.
  void work();
  Clock::time_point due() const;
  // Returns true if requests other than subscriptions are left.
  bool busy() const;
  // Refuses the requests that wait for a session, because it cannot be opened.
  void refuseHeld(const RemoteRefusal &why);
  // Gives up every request without an answer to the client.
  void clear();

private:
  struct Call;
  using Pointer = std::shared_ptr<Call>;
  bool canSend(const Call &call) const;
  void send(const Pointer &call);
  void onMessage(const Pointer &call, std::string_view text);
  bool onSubscriptionMessage(Call &call, const ServerMessage &message);
  void onEnded(const Pointer &call, const AnswerEnd &end);
  void hold(Call &call, const AnswerEnd &end);
  void answer(const Pointer &call, std::string_view text);
  void refuse(const Pointer &call, const RemoteRefusal &why);
  void forget(const Pointer &call);

  Remote &remote_;
  RemoteSession &session_;
  const std::chrono::milliseconds patience_;
  const Owner owner_;
  std::map<std::string, Pointer> calls_; // by id, as JSON text
  std::size_t subscriptions_ = 0;
};

} // namespace skillhost
