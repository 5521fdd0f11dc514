// SPDX-License-Identifier: Apache-2.0
// The session of a legacy client at the server. It sends `initialize` for the client, then opens
// the event stream of the session with a GET, and opens another session when the server no longer
// knows this one.
#pragma once

#include "client_message.hpp"
#include "refusal.hpp"
#include "remote.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace skillhost {

// Used by one thread only.
class RemoteSession {
public:
  using Clock = Remote::Clock;
  struct Owner {
    std::function<void(const Json &result)> opened;        // `result` answers `initialize`
    std::function<void(const RemoteRefusal &why)> refused; // see blocked()
    std::function<void(std::string_view message)> send;    // sends to the client
  };
  RemoteSession(Remote &remote, std::chrono::milliseconds patience, Owner owner)
      : remote_(remote), patience_(patience), owner_(std::move(owner)) {}

  // Call it when the client has sent `initialize` with these params.
  void requestSession(const Json &params);
  bool isRequested() const noexcept { return state_ != State::NotRequested; }
  bool isOpen() const noexcept { return state_ == State::Open; }
  // Returns the reason why the server refused a session. No other attempt is made until unblock().
  const std::optional<RemoteRefusal> &blocked() const noexcept { return blocked_; }
  void unblock() noexcept { blocked_.reset(); }

  const std::string &id() const noexcept { return id_; }
  // Returns the header fields of every exchange in the session.
  HttpFields fields() const;
  // Reports that the server no longer knows session `id`.
  void onSessionLost(const std::string &id);
  // Keeps a request to repeat it in a new session: subscriptions and the log level.
  void remember(const ClientMessage &message);

  // Opens the session and its stream, unless they are open or have to wait. Call it again at due(),
  // and when an exchange has ended.
  void work();
  Clock::time_point due() const;
  // Ends the session at the server. `ended` runs when that is done, or at once without a session.
  void end(std::function<void()> ended);

private:
  enum class State { NotRequested, Closed, Opening, Confirming, Open };
  void open();
  void onOpenEnded(const AnswerEnd &end, const std::optional<ServerMessage> &answer);
  void confirm();
  void onOpened();
  void openStream();
  void onStreamEnded(const AnswerEnd &end);
  void reopen();

  Remote &remote_;
  const std::chrono::milliseconds patience_;
  const Owner owner_;
  State state_ = State::NotRequested;
  Json params_; // of the client's `initialize`
  std::string id_, version_, lastEvent_;
  std::optional<RemoteRefusal> blocked_;
  std::map<std::string, std::string> remembered_; // bodies, by method and URI
  Remote::Number openExchange_ = 0, streamExchange_ = 0;
  Clock::time_point openBy_ = Clock::time_point::max(), openStreamAt_ = Clock::time_point::min(),
                    openAt_ = Clock::time_point::min(), openedAt_;
  BackOff openDelays_{reconnection}, streamDelays_{reconnection};
  bool wasOpenBefore_ = false, isTokenRenewed_ = false;
};

// The fields of every POST with JSON.
HttpFields postFields();

} // namespace skillhost
