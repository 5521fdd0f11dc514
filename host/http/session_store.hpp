// SPDX-License-Identifier: Apache-2.0
// The sessions of the legacy family. Their ids carry them, so that every replica and every restart
// with the same key opens them; what they remember besides is a record in the engine that replicas
// share, which is read when a session is seen for the first time, and written when it changes.
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
struct SessionAsker {
  std::string owner, network; // see SessionTable
  PrincipalPointer principal;
};

// Why there is no session to go on with.
enum class SessionLack : std::uint8_t {
  Absent,  // its id is none of ours, too old or another's, or it was ended
  Full,    // no further one has room here
  Stopping // the endpoint has ended
};

struct SessionDraft; // a record that is being written

struct SessionRules {
  std::size_t most = 10'000;        // in memory at once
  std::chrono::seconds idle{3'600}; // after which one that nobody uses is dropped from memory
  std::chrono::seconds maxAge{86'400};
};

// Any thread. While the engine is away every session goes on here; what changes is written when it
// is back.
class SessionStore : public std::enable_shared_from_this<SessionStore> {
public:
  // A session that is in no table yet; null: the endpoint has ended.
  using Make = std::function<std::shared_ptr<HttpSession>(const SessionAsker &asker,
                                                          std::unique_ptr<SessionCopy> copy)>;
  // Null: `lack` says why.
  using Then = std::function<void(const std::shared_ptr<HttpSession> &session, SessionLack lack)>;

  // Hears of the other replicas from now on. `state`: what the replicas share; null: this process
  // is alone. `key`: what opens ids.
  static std::shared_ptr<SessionStore> make(std::shared_ptr<SharedStore> state, SessionRules rules,
                                            const Blake3Key &key, Make makeSession);
  SessionTable &table() noexcept { return table_; }

  // Makes a session for a client that initializes. add() gives it an id, by which it is found.
  std::shared_ptr<HttpSession> prepare(const SessionAsker &asker);
  // False: no further one has room.
  bool add(const std::shared_ptr<HttpSession> &session);
  // Finds a session by the id that its client sends. Calls `then` at once if it is in memory or
  // nothing is shared, else after one round trip to the engine; `then` must not block.
  void find(const std::string &id, const SessionAsker &asker, const Then &then);
  // Returns what names the questions to the client of a session of this name.
  PendingClientRequests::Name questionNames(const std::string &name);
  // Has the session share what it remembers. Call it before its first message.
  void share(const std::shared_ptr<HttpSession> &session);
  // A channel whose answer comes after what the call has changed is written.
  std::shared_ptr<ReplyChannel> settled(std::shared_ptr<HttpSession> session,
                                        std::shared_ptr<ReplyChannel> reply);
  // Calls `then` when what has changed is written, or cannot be written now; at once when nothing
  // has.
  void settle(const std::shared_ptr<HttpSession> &session, const std::function<void()> &then);
  enum class End : std::uint8_t {
    Done,   // at all replicas
    Away,   // the engine cannot be told of the end
    TooMany // see EndedSessions::hasRoom()
  };
  // Ends the session if `then` hears Done. Otherwise the session goes on.
  void end(const std::shared_ptr<HttpSession> &session, const std::function<void(End)> &then);

  enum class Delivery : std::uint8_t {
    Taken,
    TooLarge, // for the engine
    Away,     // another replica is to have it, and the engine is known to be away
    TooMany   // see mayAsk()
  };
  // A notification or a response of the client: goes to who runs what it is about.
  Delivery deliver(const HttpSession &session, Message message);
  // Sends the client a message that answers no request, if the client listens here.
  static void tell(const HttpSession &session, const Fragments &message);
  // The stream of what belongs to no request leads to a client here: the others let it go. True
  // when the client may have missed something before.
  bool listen(const std::shared_ptr<HttpSession> &session);

private:
  SessionStore(std::shared_ptr<SharedStore> state, SessionRules rules, const Blake3Key &key,
               Make makeSession);
  void begin();
  using Session = std::shared_ptr<HttpSession>;
  using Value = std::optional<std::string>;
  struct Found {
    Session session;
    SessionLack lack = SessionLack::Absent;
  };
  // One after the other, so that thousands do not come at once: each calls what it is given when
  // the next one may begin.
  using Job = std::function<void(const std::function<void()> &next)>;
  struct Jobs;

  static std::string keyOf(const std::string &name) { return "notes/" + name; }
  static SharedStore::Span spanUntil(std::int64_t until); // of which nothing may be left
  std::unique_ptr<SessionCopy> newCopy(const SessionIdentity &identity, bool isHeardHere);
  Found resume(const std::string &id, const SessionIdentity &identity, const SessionAsker &asker,
               const Value &record);
  bool hasEnded(const SessionIdentity &identity) const; // or may have, see EndedSessions
  void know(const Session &session);
  Session known(const std::string &name);
  void forget(const Session &session);  // another replica has ended it
  void endHere(const Session &session); // a client of this replica has
  void ousted(const Session &session);
  void eraseRecord(const HttpSession &session);

  void save(const Session &session, int attempts);
  void written(const Session &session, SessionDraft draft, int attempts, const Result<bool> &done);
  void saveOverOthers(const Session &session, const SessionDraft &draft, int attempts);
  void saved(const Session &session, std::uint64_t change, bool isWritten);
  void warnUnwritten(const Failure &why);
  // Reads the record of the session. Call it only where a state is shared.
  void refresh(const Session &session, NotesRefreshed then);
  NotesAge looked(const Session &session, const Value &value, std::uint64_t writes);
  static void changeAgain(const HttpSession &session);
  // Compares all sessions with their records in the engine. If the engine was away, it may not know
  // of sessions that have ended any more, so these are compared first. One pass of each kind runs
  // at a time; if it is wanted while it runs, it runs once more.
  enum class Pass : std::uint8_t { AfterLostMessages, AfterAway };
  void restore(Pass pass);
  void onRestored(Pass pass);
  Job lookJob(const Session &session);
  Job tellEndedJob(const EndedSessions::Ended &ended);

  void publish(const char *kind, Json members);
  void publish(const HttpSession &session, const char *kind, Json members);
  void publishEnd(const std::string &name, std::int64_t until);
  Delivery passOn(const HttpSession &session, Message message);
  bool isQuestion(const HttpSession &session, std::string_view id) const;
  std::string questionName(const std::string &name, std::uint64_t number) const;
  static bool mayAsk(const HttpSession &session);
  void heard(std::string_view message);
  void heardOf(const Session &session, std::string_view kind, const Json &message);

  static constexpr std::string_view channel = "session";
  const std::shared_ptr<SharedStore> state_; // null: this process is alone
  const SessionRules rules_;
  const SessionIds ids_;
  const Make make_;
  const std::string replica_; // names this process, at all times
  SessionTable table_;
  EndedSessions ended_;
  std::atomic<std::uint64_t> copies_{0};
  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<HttpSession>> known_; // by name; under the lock
  // The same lock guards what follows.
  struct PassState {
    bool isRunning = false, isWanted = false;
  };
  std::array<PassState, 2> passes_;                             // by Pass
  std::optional<std::chrono::steady_clock::time_point> warned_; // see warnUnwritten()
  std::size_t unwritten_ = 0;                                   // since then
};

} // namespace skillhost
