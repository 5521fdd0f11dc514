// SPDX-License-Identifier: Apache-2.0
// Keeps the sessions of the legacy family. The id of a session contains the result of its
// handshake, encrypted, so every replica, and every process that restarts with the same key, can
// continue the session. What else belongs to the session, its notes, is a record in the engine that
// replicas share. A replica reads the record when it first sees the session, and writes it when the
// notes change.
#pragma once

#include "access/principal.hpp"
#include "ended_sessions.hpp"
#include "ground/json.hpp"
#include "http_session.hpp"
#include "mcp/reply_channel.hpp"
#include "plugin/shared_store.hpp"
#include "rpc/message.hpp"
#include "session_ids.hpp"
#include "session_record.hpp"
#include "session_table.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skillhost {

// The sender of a request in a session.
struct SessionRequester {
  std::string owner, network; // see SessionTable
  PrincipalPointer principal;
};

// The reason why there is no session.
enum class NoSessionReason : std::uint8_t {
  // The id is not ours, is too old, belongs to another principal, or the session has ended.
  Absent,
  Full,    // there is no room for another session
  Stopping // the endpoint is stopping
};

struct SessionDraft; // a record that is being written

struct SessionRules {
  std::size_t maxInMemory = 10'000; // in memory at once
  std::chrono::seconds idle{3'600}; // An unused session is dropped from memory after this time.
  std::chrono::seconds maxAge{86'400};
};

// Any thread. While the engine is unreachable, every session continues, and its changes are written
// when the engine is back.
class SessionStore : public std::enable_shared_from_this<SessionStore> {
public:
  // Creates a session that is in no table yet. Returns null if the endpoint has stopped.
  using Make = std::function<std::shared_ptr<HttpSession>(const SessionRequester &requester,
                                                          std::unique_ptr<SessionCopy> copy)>;
  // If `session` is null, `reason` says why.
  using FindCallback =
      std::function<void(const std::shared_ptr<HttpSession> &session, NoSessionReason reason)>;

  // Makes a store that listens to the other replicas from now on. `state` is what the replicas
  // share; null: this process is alone. `key` decrypts ids of sessions.
  static std::shared_ptr<SessionStore> make(std::shared_ptr<SharedStore> state, SessionRules rules,
                                            const Blake3Key &key, Make makeSession);
  SessionTable &table() noexcept { return table_; }

  // Makes a session for a client that initializes. add() gives it an id, by which it is found.
  std::shared_ptr<HttpSession> prepare(const SessionRequester &requester);
  // Returns false if there is no room for the session.
  bool add(const std::shared_ptr<HttpSession> &session);
  // Finds a session by the id that its client sends. Calls `then` at once if it is in memory or
  // nothing is shared, else after one round trip to the engine; `then` must not block.
  void find(const std::string &id, const SessionRequester &requester, const FindCallback &then);
  // Returns the function that makes the ids of requests to the client, for a session of this name.
  PendingClientRequests::Name questionNames(const std::string &name);
  // Returns how the client of this session shares its notes with other replicas.
  SharedNotes notesOf(const std::shared_ptr<HttpSession> &session);
  // Returns a channel that sends the answer after the changes of the call are written.
  std::shared_ptr<ReplyChannel> replyWhenSaved(std::shared_ptr<HttpSession> session,
                                               std::shared_ptr<ReplyChannel> reply);
  // Calls `then` when the changes of the session are written or cannot be written now; at once if
  // there are none.
  void whenSaved(const std::shared_ptr<HttpSession> &session, const std::function<void()> &then);
  enum class End : std::uint8_t {
    Done,        // the session has ended at all replicas
    Unreachable, // the engine cannot be reached to store the end
    TooMany      // see EndedSessions::hasRoom()
  };
  // Ends the session at all replicas. `then` receives the result. Unless it is Done, the session
  // continues.
  void end(const std::shared_ptr<HttpSession> &session, const std::function<void(End)> &then);

  enum class Delivery : std::uint8_t {
    Taken,       // handled here or sent to the other replicas
    TooLarge,    // for the engine
    Unreachable, // the message has to go to another replica, and the engine cannot be reached
    TooMany      // see mayAsk()
  };
  // Delivers a notification or a response of the client to the replica that runs the request it is
  // about.
  Delivery deliver(const HttpSession &session, Message message);
  // Sends the client a message that answers no request, if the client listens here.
  static void sendIfListening(const HttpSession &session, const Fragments &message);
  // Makes the client listen here: the other replicas end their streams to it. Returns true if the
  // client may have missed messages before.
  bool listen(const std::shared_ptr<HttpSession> &session);

private:
  SessionStore(std::shared_ptr<SharedStore> state, SessionRules rules, const Blake3Key &key,
               Make makeSession);
  void begin();
  using Session = std::shared_ptr<HttpSession>;
  using Value = std::optional<std::string>;
  struct Found {
    Session session;
    NoSessionReason reason = NoSessionReason::Absent;
  };

  // A step of a pass over all sessions, see restore(). A few jobs run at a time, so that thousands
  // do not start at once. A job calls `next` when another one may begin.
  using Job = std::function<void(const std::function<void()> &next)>;
  struct Jobs;

  static std::string keyOf(const std::string &name) { return "notes/" + name; }
  // Returns the time from now until `until` (Unix seconds), and at least a second.
  static SharedStore::Span spanUntil(std::int64_t until);
  std::unique_ptr<SessionCopy> newCopy(const SessionIdentity &identity, bool isListeningHere);
  Found resume(const std::string &id, const SessionIdentity &identity,
               const SessionRequester &requester, const Value &record);
  // Returns true if the session has ended or may have ended; see EndedSessions.
  bool hasEnded(const SessionIdentity &identity) const;
  void remember(const Session &session);
  Session findKnown(const std::string &name);
  void forget(const Session &session);  // another replica has ended it
  void endHere(const Session &session); // a client of this replica has ended it
  void onEvicted(const Session &session);
  void eraseRecord(const HttpSession &session);

  // Writing the record. Another replica may write it at the same time, so a failed attempt merges
  // its changes with ours and tries again.
  void save(const Session &session, int attempts);
  void onWritten(const Session &session, SessionDraft draft, int attempts,
                 const Result<bool> &done);
  void mergeAndSave(const Session &session, const SessionDraft &draft, int attempts);
  void onSaved(const Session &session, std::uint64_t change, bool isWritten);
  void warnUnwritten(const Failure &why);
  // Reads the record of the session. Call it only if a state is shared.
  void refresh(const Session &session, NotesRefreshed then);
  NotesAge onRecordRead(const Session &session, const Value &value, std::uint64_t writes);
  static void markAllUnsaved(const HttpSession &session);
  // Compares all sessions with their records in the engine. If the engine was unreachable, it may
  // have lost the records of ended sessions, so these are compared first. One pass of each kind
  // runs at a time. If another one is requested meanwhile, the pass runs once more.
  enum class Pass : std::uint8_t { AfterLostMessages, AfterAway };
  void restore(Pass pass);
  void onRestored(Pass pass);
  Job checkJob(const Session &session);
  Job publishEndJob(const EndedSessions::Ended &ended);

  // Messages to and from other replicas.
  void publish(const char *kind, Json members);
  void publish(const HttpSession &session, const char *kind, Json members);
  void publishEnd(const std::string &name, std::int64_t until);
  Delivery forwardResponse(const HttpSession &session, Message message);
  bool isQuestion(const HttpSession &session, std::string_view id) const;
  std::string questionName(const std::string &name, std::uint64_t number) const;
  // Counts a message to another replica. Returns false if the session has sent too many of them in
  // this second.
  static bool mayAsk(const HttpSession &session);
  void onMessage(std::string_view message);
  void onSessionMessage(const Session &session, std::string_view kind, const Json &message);

  static constexpr std::string_view channel = "session";
  const std::shared_ptr<SharedStore> state_; // null: this process is alone
  const SessionRules rules_;
  const SessionIds ids_;
  const Make make_;
  const std::string replica_; // identifies this process, at all times
  SessionTable table_;
  EndedSessions ended_;
  std::atomic<std::uint64_t> copies_{0};
  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<HttpSession>>
      sessionsByName_; // by name; under the lock
  // The same lock guards the members below.
  struct PassState {
    bool isRunning = false, isWanted = false;
  };
  std::array<PassState, 2> passes_;                             // by Pass
  std::optional<std::chrono::steady_clock::time_point> warned_; // see warnUnwritten()
  std::size_t unwritten_ = 0;                                   // since then
};

} // namespace skillhost
