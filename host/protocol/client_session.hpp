// SPDX-License-Identifier: Apache-2.0
// A client's session: what it has agreed on, asked for and loaded.
#pragma once

#include "base/guarded.hpp"
#include "call.hpp"
#include "protocol/server.hpp"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace skillhost {

// A skill the client has in its context.
struct LoadedSkill {
  std::string name, digest, loadedAt; // loadedAt: UTC, RFC 3339
  std::size_t tokens = 0;
};

// One subscriptions/listen of the modern era.
struct Subscription {
  CallPointer call; // open until the client cancels it
  bool tools = false, prompts = false, resources = false;
  std::set<std::string> uris;
};

class ClientSession final : public Session, public std::enable_shared_from_this<ClientSession> {
public:
  ClientSession(std::shared_ptr<Services> services, std::function<void(Fragments)> send);

  void receive(std::string_view message) override;
  void refuseTooLong(std::size_t limit) override;
  bool waitUntilIdle(std::chrono::milliseconds span) override;
  void close() override;

  Services &services() const noexcept { return *services_; }
  void send(Fragments message);
  // The call has been answered, or will never be.
  void finished(const Call &call);
  // Ends the request of that id without an answer, if it still runs.
  void cancel(const std::string &id);
  // The catalogue is another one: tells the client what it wants to hear of it.
  void catalogueChanged(const Catalogue &now, const Catalogue &before);

  // State of the handshake and of subscriptions; each is under its own lock.
  void shakeHands();
  bool subscribe(const std::string &uri);
  void unsubscribe(const std::string &uri);
  // Sends the acknowledgement and, from then on, what is subscribed to.
  void listen(Subscription subscription, Fragments acknowledgement);
  void setLogLevel(int level) { logLevel_ = level; }
  // A line of the log, for clients that asked for them. `level` as in RFC 5424, 7 is debug.
  void logLine(int level, std::string_view part, std::string_view text);
  Guarded<std::map<std::string, LoadedSkill>> loaded; // by skill id

private:
  enum class Opening { None, Legacy, Modern };
  void dispatch(Message message);
  std::optional<Fault> enter(const CallPointer &call); // why not: the id is taken, too many run
  void notice(const Message &message);
  std::optional<Era> eraOf(const Message &message);
  void refuse(const Message &message, int code, std::string_view words, std::string_view data = {});

  const std::shared_ptr<Services> services_;
  const std::function<void(Fragments)> send_;
  std::atomic<bool> closed_{false}, legacyReady_{false};
  std::atomic<int> logLevel_{-1};   // most verbose level wanted; -1: none
  Opening opening_ = Opening::None; // the receiving thread only

  mutable std::mutex mutex_;
  std::condition_variable idle_;
  std::map<std::string, CallPointer> running_;        // by id
  std::set<std::string> uris_;                        // legacy subscriptions
  std::map<std::string, Subscription> subscriptions_; // by request id
};

// Handles a request of a known era; see router.cpp for the table of methods.
void route(const CallPointer &call);

} // namespace skillhost
