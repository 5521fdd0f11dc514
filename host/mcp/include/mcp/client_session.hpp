// SPDX-License-Identifier: Apache-2.0
// A client's session: its handshake, its requests and subscriptions, and its loaded skills.
#pragma once

#include "ground/guarded.hpp"
#include "mcp/call.hpp"
#include "mcp/pending_client_requests.hpp"
#include "mcp/plugin_tools.hpp"
#include "mcp/reply_channel.hpp"
#include "mcp/server.hpp"
#include "mcp/session_budget.hpp"
#include "mcp/session_notes.hpp"
#include "rpc/client_capabilities.hpp"
#include "rpc/envelope.hpp"
#include "rpc/protocol_family.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace skillhost {

class CatalogueChange;

// One subscriptions/listen of the modern family.
struct Subscription {
  CallPointer call; // open until the client cancels it
  bool tools = false, prompts = false, resources = false;
  std::set<std::string> uris;
  WatchPointer watch; // of the credential with which it was opened
};

// Limits the memory of a session: to `maxBytes` bytes, and to what `budget`, which other sessions
// share, has left. If the budget is null, nothing is counted.
struct SessionRoom {
  std::shared_ptr<SessionBudget> budget{};
  std::size_t maxBytes = std::numeric_limits<std::size_t>::max();
};

// How a session shares its notes with other replicas.
struct SharedNotes {
  // Called before each change that this replica makes, under locks of the session, so it must not
  // call the session. Empty: the notes are not shared.
  std::function<void(const SessionChange &change)> noted{};
  // Reads the notes that other replicas have written, if it can, then calls its argument, once, on
  // any thread. Empty: the notes are not shared.
  std::function<void(NotesRefreshed then)> refresh{};
};

// On stdio the session is also the channel of its calls; over HTTP each request has its own.
class ClientSession final : public Session,
                            public ReplyChannel,
                            public std::enable_shared_from_this<ClientSession> {
public:
  // Only: the only client of this process. OneOfMany: one of many clients, who does not see lines
  // of the server's log about the others. OneRequest: also one of many, with a session that ends
  // with its request.
  enum class Client { Only, OneOfMany, OneRequest };
  ClientSession(std::shared_ptr<Services> services, std::function<void(Fragments)> send,
                Client client, std::string name, SessionRoom room = {},
                PendingClientRequests::Name questionName = {}, SharedNotes shared = {});
  ~ClientSession() override;
  ClientSession(const ClientSession &) = delete;
  ClientSession &operator=(const ClientSession &) = delete;

  void receive(std::string_view message) override;
  void refuseTooLong(std::size_t limit, const std::string &id) override;
  bool waitUntilIdle(std::chrono::milliseconds span) override;
  void close() override;
  void endSubscriptions(); // sends each its final result, in the order in which they were opened
  bool idle() const;       // true if no request runs and no subscription is open

  // Handles a parsed message. Answers go to `reply`.
  void accept(Message message, const std::shared_ptr<ReplyChannel> &reply);
  // Handles a request whose family is known in the same way.
  void request(Message message, const std::shared_ptr<ReplyChannel> &reply, ProtocolFamily family);
  void sendMessage(Fragments message) override { send(std::move(message)); }
  void answer(Fragments message, int) override { send(std::move(message)); }

  // Counts bytes that the session keeps until releaseBytes() or its end. Returns false, and counts
  // nothing, if they are too many.
  bool reserveBytes(std::size_t bytes) noexcept;
  void releaseBytes(std::size_t bytes) noexcept;

  Services &services() const noexcept { return *services_; }
  // Returns the identity of the client for the rate limit, which is used if the caller is not
  // authenticated.
  const std::string &name() const noexcept { return name_; }
  Client client() const noexcept { return client_; }
  void send(Fragments message); // outside any call
  // Called when a call was answered or abandoned.
  void onCallFinished(const Call &call);
  // Ends the request of that id without an answer. Returns false if it does not run.
  bool cancel(const std::string &id);
  // Notifies the client of a change of the catalogue, as far as the client has asked for
  // notifications. Returns false if nothing was sent.
  bool catalogueChanged(CatalogueChange &change);
  // Call it when the client lists skills, or their folders, by the skills extension. Before that, a
  // client on stdio is not notified of changes that only concern files of a skill.
  void followFiles() noexcept { followsFiles_ = true; }
  // Notifies the client that a resource of the server itself has changed, if the client is a
  // manager who sees all skills.
  void ownResourceChanged(std::string_view uri);
  // Sets the principal that asked last on stdio, or that listens over HTTP: notifications contain
  // what that principal may see.
  void seenBy(const PrincipalPointer &principal) {
    principal_.with([&](PrincipalPointer &last) { last = principal; });
  }

  // Notifies the client that each list may have changed.
  void notifyAllLists();
  // Notifies the client that each resource it has subscribed to may have changed.
  void notifyAllResources();
  // Notifies the client that tools, prompts or resources of plugins have changed.
  void pluginToolsChanged(const PluginToolSetPointer &now, const PluginToolSetPointer &before);

  // Call it when the client has sent `initialize`. `form` is the form of tools' results that suits
  // the client.
  void shakeHands(ResultForm form);
  ResultForm resultForm() const noexcept { return resultForm_; }
  bool subscribe(const std::string &uri);
  void unsubscribe(const std::string &uri);
  // Sends the acknowledgement and, from then on, the notifications that are subscribed to.
  void listen(Subscription subscription, Fragments acknowledgement);
  void setLogLevel(int level);
  int logLevel() const noexcept { return logLevel_; } // -1: never set
  // Sends a line of the log to the client, if it asked for lines of this level. `level` is that of
  // logLevelNumber().
  void logLine(int level, std::string_view part, std::string_view text);
  // Continues the session of a client whose handshake was at another replica, or before a restart.
  void resume(const std::string &client, CapabilityFlags capabilities);
  // Begins to notify the client of changes. Called when the client has sent `initialized`, perhaps
  // to another replica.
  void becomeReady();

  // True if other replicas may change the notes.
  bool sharesNotes() const noexcept { return static_cast<bool>(shared_.refresh); }
  void note(const SessionChange &change) const {
    if (shared_.noted) shared_.noted(change);
  }
  // Reads what other replicas have written, and calls `then` with the result; at once if the notes
  // belong to this process alone.
  void refreshNotes(NotesRefreshed then) const;
  SessionNotes notes() const;
  // Replaces the notes with those that replicas have stored, as far as there is room.
  void take(const SessionNotes &notes);
  // Applies a change that another replica has made.
  void apply(const SessionChange &change);
  Guarded<std::map<std::string, LoadedSkill>> loaded; // by skill id
  Guarded<std::set<std::string>> reportedFailures;    // sources whose failure the client knows
  Guarded<std::string> clientName;                    // from its handshake; empty: unknown
  Guarded<std::string> clientCapabilities{"{}"};      // from its handshake, a JSON object
  PendingClientRequests clientRequests;

private:
  void dispatch(Message message, const std::shared_ptr<ReplyChannel> &reply);
  std::optional<Fault> enter(const CallPointer &call); // failure: the id is taken, or too many run
  void forget(const Call &call); // removes a call that runs no more; the caller holds the lock
  void handleNotification(const Message &message);
  PrincipalPointer notifiedPrincipal() const; // who gets notifications; null: nobody, or expired
  bool mayReceiveLog(std::string_view part) const; // of the log
  // Returns false if there was nothing to send.
  bool notifyLists(PluginToolsChanged changed);
  static bool notifyLists(const Subscription &subscription, PluginToolsChanged changed);
  void listenForChanges(); // from now on catalogueChanged() and logLine() are called

  const std::shared_ptr<Services> services_;
  const std::function<void(Fragments)> send_;
  const Client client_;
  const std::string name_;
  const SessionRoom room_;
  const SharedNotes shared_;
  std::atomic<std::size_t> held_{0};
  Guarded<PrincipalPointer> principal_; // null: nobody has asked yet
  std::atomic<bool> closed_{false}, legacyReady_{false}, listening_{false};
  // Over HTTP another replica, or a session of one request, may have sent those lists.
  std::atomic<bool> followsFiles_{client_ != Client::Only};
  std::atomic<int> logLevel_{-1}; // most verbose level wanted; -1: none
  std::atomic<Opening> opening_{Opening::None};
  std::atomic<ResultForm> resultForm_{ResultForm::Both};

  mutable std::mutex mutex_;
  std::condition_variable idle_;
  std::map<std::string, CallPointer> running_;        // by id
  std::set<std::string> uris_;                        // legacy subscriptions
  std::map<std::string, Subscription> subscriptions_; // by request id
};

// Returns the id of the request that the client cancels with this message; empty if it cancels
// none.
std::string cancelledId(const Message &message);

// Handles a request of a known family; router.cpp has the table of methods. A failure becomes the
// answer.
void route(const CallPointer &call) noexcept;

} // namespace skillhost
