// SPDX-License-Identifier: Apache-2.0
// A client's session: what it has agreed on, asked for and loaded.
#pragma once

#include "ground/guarded.hpp"
#include "mcp/call.hpp"
#include "mcp/client_capabilities.hpp"
#include "mcp/pending_client_requests.hpp"
#include "mcp/plugin_tools.hpp"
#include "mcp/reply_channel.hpp"
#include "mcp/server.hpp"
#include "mcp/session_budget.hpp"
#include "mcp/session_notes.hpp"
#include "rpc/protocol_family.hpp"
#include "runtime/envelope.hpp"

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
  WatchPointer watch; // of the credential it was opened with
};

// What a session keeps counts in the budget, and is at most so many bytes; null: nothing counts.
struct SessionRoom {
  std::shared_ptr<SessionBudget> budget{};
  std::size_t most = std::numeric_limits<std::size_t>::max();
};

// On stdio it is the channel of its calls too; over HTTP each request brings its own.
class ClientSession final : public Session,
                            public ReplyChannel,
                            public std::enable_shared_from_this<ClientSession> {
public:
  // The only client of this process, or one of many: those do not hear what the server's log says
  // of the others. OneRequest: one of many, too, whose session ends with its request.
  enum class Client { Only, OneOfMany, OneRequest };
  ClientSession(std::shared_ptr<Services> services, std::function<void(Fragments)> send,
                Client client, std::string name, SessionRoom room = {},
                PendingClientRequests::Name questionName = {});
  ~ClientSession() override;
  ClientSession(const ClientSession &) = delete;
  ClientSession &operator=(const ClientSession &) = delete;

  void receive(std::string_view message) override;
  void refuseTooLong(std::size_t limit, const std::string &id) override;
  bool waitUntilIdle(std::chrono::milliseconds span) override;
  void close() override;
  void endSubscriptions(); // in order, with the result each has waited for
  bool idle() const;       // nothing of it runs, no subscription either

  // A message that has been taken apart already; what answers it goes to `reply`.
  void accept(Message message, const std::shared_ptr<ReplyChannel> &reply);
  // The same for a request whose family is known.
  void request(Message message, const std::shared_ptr<ReplyChannel> &reply, ProtocolFamily family);
  void tell(Fragments message) override { send(std::move(message)); }
  void answer(Fragments message, int) override { send(std::move(message)); }

  // For what is kept as long as the session, or until letGo(). False: it would be too much.
  bool hold(std::size_t bytes) noexcept;
  void letGo(std::size_t bytes) noexcept;

  Services &services() const noexcept { return *services_; }
  // Who it is to the rate limit, while nobody has proved to be anybody.
  const std::string &name() const noexcept { return name_; }
  Client client() const noexcept { return client_; }
  void send(Fragments message); // what belongs to no call
  // The call has been answered, or will never be.
  void finished(const Call &call);
  // Ends the request of that id without an answer, if it still runs; false: no such one does.
  bool cancel(const std::string &id);
  // The catalogue is another one: tells the client what it wants to hear of it. False: nothing.
  bool catalogueChanged(CatalogueChange &change);
  // The client lists skills by the skills extension, or their folders. Until then a client on stdio
  // is not told that only files of a skill have changed.
  void followFiles() noexcept { followsFiles_ = true; }
  // So is a resource of the server itself, for managers who see all skills.
  void managedChanged(std::string_view uri);
  // The one who asked last on stdio, who listens over HTTP: what is told unasked is what that
  // principal may see.
  void seenBy(const PrincipalPointer &principal) {
    principal_.with([&](PrincipalPointer &last) { last = principal; });
  }

  // Each list may be another one than the client has.
  void tellAllLists();
  // So may each resource it has subscribed to.
  void tellAllResources();
  // So are some of the lists.
  void pluginToolsChanged(const PluginToolSetPointer &now, const PluginToolSetPointer &before);

  // State of the handshake and of subscriptions; each is under its own lock.
  void shakeHands(ResultForm form); // of the results of tools, by the client's name
  ResultForm resultForm() const noexcept { return resultForm_; }
  bool subscribe(const std::string &uri);
  void unsubscribe(const std::string &uri);
  // Sends the acknowledgement and, from then on, what is subscribed to.
  void listen(Subscription subscription, Fragments acknowledgement);
  void setLogLevel(int level);
  int logLevel() const noexcept { return logLevel_; } // as set, -1: never
  // A line of the log, for clients that asked for them. `level`: see logLevelNumber().
  void logLine(int level, std::string_view part, std::string_view text);
  // Goes on with a client that has shaken hands elsewhere, or before a restart.
  void resume(const std::string &client, CapabilityFlags capabilities);
  // The client is told of changes from now on, also if another replica was told that it is
  // initialized.
  void becomeReady();

  // Shares the notes of a session with other replicas. `noted` receives each change that is made
  // here before it is made, under locks of the session: it must not call back. `refresh` brings the
  // notes up to date, if it can, then calls what it is given, once, on any thread. Call it before
  // the first message.
  using Noted = std::function<void(const SessionChange &change)>;
  using Refresh = std::function<void(NotesRefreshed then)>;
  void shareNotes(Noted noted, Refresh refresh) {
    noted_ = std::move(noted);
    refresh_ = std::move(refresh);
  }
  // Other replicas may have changed the notes.
  bool sharesNotes() const noexcept { return static_cast<bool>(refresh_); }
  void note(const SessionChange &change) const {
    if (noted_) noted_(change);
  }
  // Asks for what other replicas have written, and calls `then` with the result; at once when the
  // notes are those of this process alone.
  void refreshNotes(NotesRefreshed then) const;
  SessionNotes notes() const;
  // Replaces the notes by those that replicas have written down, as far as there is room.
  void take(const SessionNotes &notes);
  // Makes a change that another replica has made.
  void apply(const SessionChange &change);
  Guarded<std::map<std::string, LoadedSkill>> loaded; // by skill id
  Guarded<std::set<std::string>> toldFailures;        // sources whose failure the client knows of
  Guarded<std::string> clientName;                    // by its handshake; empty: it has said none
  Guarded<std::string> clientCapabilities{"{}"};      // by its handshake, a JSON object
  PendingClientRequests clientRequests;

private:
  void dispatch(Message message, const std::shared_ptr<ReplyChannel> &reply);
  std::optional<Fault> enter(const CallPointer &call); // why not: the id is taken, too many run
  void forget(const Call &call); // it is no longer among those that run; under the lock
  void notice(const Message &message);
  PrincipalPointer hearer() const;           // who is told unasked; null: nobody, or no longer
  bool mayHear(std::string_view part) const; // of the log
  // False: of nothing.
  bool tellLists(PluginToolsChanged changed);
  static bool tellLists(const Subscription &subscription, PluginToolsChanged changed);
  void listenForChanges(); // from now on catalogueChanged() and logLine() are called

  const std::shared_ptr<Services> services_;
  const std::function<void(Fragments)> send_;
  const Client client_;
  const std::string name_;
  Noted noted_;     // empty: nobody wants to know
  Refresh refresh_; // empty: the notes are those of this process alone
  const SessionRoom room_;
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

// The id of the request that the client cancels with this message; empty: it cancels none.
std::string cancelledId(const Message &message);

// Handles a request of a known family; see router.cpp for the table of methods. What goes wrong is
// its answer.
void route(const CallPointer &call) noexcept;

} // namespace skillhost
