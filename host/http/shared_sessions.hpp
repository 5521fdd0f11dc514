// SPDX-License-Identifier: Apache-2.0
// The sessions that several replicas serve: each has a copy of those it was asked in, which it
// brings up to date before every request and writes down before the answer when it has changed.
#pragma once

#include "access/principal.hpp"
#include "ground/json.hpp"
#include "http_session.hpp"
#include "mcp/reply_channel.hpp"
#include "rpc/message.hpp"
#include "session_table.hpp"
#include "shared_copy.hpp"
#include "state/shared_state.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace skillhost {

// Who asks in a session.
struct SessionAsker {
  std::string owner, network; // see SessionTable
  PrincipalPointer principal;
};

// Why there is no session to go on with.
enum class SessionLack : std::uint8_t {
  Absent,    // there is none, it was ended, or it is another's
  Away,      // only the engine knows it, and cannot be reached
  Unwritten, // it was opened elsewhere while it could not be written, and may be so soon
  Full,      // no further one has room here
  Newer      // it is in a form of a later version
};

// Any thread. While the engine is away the copies that are here go on; what changes in them is
// written when it is back.
class SharedSessions : public std::enable_shared_from_this<SharedSessions> {
public:
  // A session that is not in the table yet; null: the endpoint has ended.
  using Make =
      std::function<std::shared_ptr<HttpSession>(const std::string &id, const SessionAsker &asker)>;
  // Null: `lack` says why.
  using Then = std::function<void(const std::shared_ptr<HttpSession> &session, SessionLack lack)>;

  // The client has cancelled that request at another replica.
  using Cancelled = std::function<void(const HttpSession &session, const std::string &id)>;

  SharedSessions(std::shared_ptr<SharedState> state, std::shared_ptr<SessionTable> table,
                 std::chrono::seconds idle, Make make, Cancelled cancelled)
      : state_(std::move(state)), table_(std::move(table)), idle_(idle), make_(std::move(make)),
        cancelled_(std::move(cancelled)) {}

  // From now on it hears of the other replicas. Once.
  void begin();
  // For a session that is made; `owner` is empty when nobody is known.
  std::unique_ptr<SharedCopy> newCopy(const std::string &id, const std::string &owner);

  // One that was opened here: `then` as with settle(), with the id that its client is to send.
  // Where it could not be written the id says so, and when: other replicas have the client ask
  // again.
  void opened(const std::shared_ptr<HttpSession> &session,
              std::function<void(const std::string &id)> then);
  // By the id that its client sends. One round trip to the engine, none while that is away. Those
  // of one session are answered in their order, on a thread
  // of the engine's plugin or the caller's; `then` must not block.
  void find(const std::string &name, SessionAsker asker, Then then);
  // Calls `then` when what has changed is written, or cannot be written now; at once when nothing
  // has.
  void settle(const std::shared_ptr<HttpSession> &session, const std::function<void()> &then);
  // Ends it at all replicas. `then` hears whether that is written down; else it goes on.
  void end(const std::shared_ptr<HttpSession> &session, std::function<void(bool done)> then);
  // A channel whose answer comes after what the call has changed is written.
  std::shared_ptr<ReplyChannel> settled(std::shared_ptr<HttpSession> session,
                                        std::shared_ptr<ReplyChannel> reply);
  enum class Delivery : std::uint8_t {
    Taken,
    TooLarge, // for the engine
    Away,     // another replica is to have it, and the engine is known to be away
    TooMany   // see mayAsk()
  };
  // A notification or a response of the client: goes to who runs what it is about.
  Delivery deliver(const HttpSession &session, Message message);
  // True if its client may have all replicas asked about something once more in this second: names
  // of requests are made up for nothing.
  static bool mayAsk(const HttpSession &session);
  // What this replica calls a question to the client of the session with that key. No client can
  // make up such a name, so that what reaches all replicas is an answer to something.
  static std::string questionName(const SharedState &state, const std::string &key,
                                  std::uint64_t number);
  // The stream of what belongs to no request leads to a client here: the others let it go. True
  // when the client may have missed something before.
  bool listen(const std::shared_ptr<HttpSession> &session);
  // What every replica finds out by itself and tells unasked: only where the client listens.
  static void tell(const HttpSession &session, const Fragments &message);
  // What is in use here does not expire there. With each sweep of the table.
  void keepUsed();

private:
  using Value = std::optional<std::string>;
  struct Job {
    SessionAsker asker;
    bool mayCome; // it may be somewhere, and not be written yet
    Then then;
  };
  struct Found {
    std::shared_ptr<HttpSession> session;
    SessionLack lack = SessionLack::Absent;
  };
  SharedState::Span span() const { return idle_; }
  std::string keyOf(const std::string &id) const; // of the record of the session
  void ask(const std::string &id);
  void came(const std::string &id, const std::vector<Job> &jobs, const Result<Value> &value);
  Found resolve(const std::string &id, const Job &job, const Result<Value> &value);
  bool mayCome(std::string_view mark) const;
  void askToWrite(const std::string &id);
  Found goOn(const std::shared_ptr<HttpSession> &session, const std::string &text);
  Found restore(const std::string &id, const SessionAsker &asker, const std::string &text);
  void forget(const std::shared_ptr<HttpSession> &session);
  void ousted(const std::shared_ptr<HttpSession> &session);
  void eraseRecord(const HttpSession &session);
  // False: there is no room for it here. Under the lock of the copy.
  static bool adopt(HttpSession &session, SharedCopy &copy, SessionRecord theirs,
                    const std::string &text);
  // Over what: the record that was seen last, or whatever there is.
  enum class Over : std::uint8_t { Seen, Anything };
  void save(const std::shared_ptr<HttpSession> &session, int attempts, Over over = Over::Seen);
  void saveAgain(const std::shared_ptr<HttpSession> &session, int attempts,
                 const Result<Value> &value);
  void saved(const std::shared_ptr<HttpSession> &session, std::uint64_t change, bool isWritten);
  void know(const std::shared_ptr<HttpSession> &session);
  std::shared_ptr<HttpSession> known(const std::string &key);
  enum class Which : std::uint8_t { InUse, All };
  void lookAgain(Which which);
  void lookAt(const std::shared_ptr<std::vector<std::shared_ptr<HttpSession>>> &left,
              SharedState::Span expiry);
  void lookAt(const std::shared_ptr<HttpSession> &session);
  void looked(const std::shared_ptr<HttpSession> &session, const Result<Value> &value);
  Delivery passOn(const HttpSession &session, Message message);
  // Whether some replica has asked that.
  bool isQuestion(const HttpSession &session, std::string_view id) const;
  void publishEnd(const HttpSession &session);
  void publishListening(const HttpSession &session, std::uint64_t writes);
  void publish(const HttpSession &session, const char *kind, Json members);
  static void publish(SharedState &state, const char *kind, Json members);
  void publishChanged(const HttpSession &session, std::uint64_t writes);
  bool mayTellNow();
  void heardOf(const std::shared_ptr<HttpSession> &session, std::string_view kind,
               const Json &message);
  void heard(std::string_view message);
  static void heardResponse(const HttpSession &session, const std::string &id, const Json &message);
  static void heardListening(const std::shared_ptr<HttpSession> &session, std::uint64_t writes);
  void heardChanged(const std::shared_ptr<HttpSession> &session, std::uint64_t writes);

  static constexpr std::string_view channel = "sessions";
  const std::shared_ptr<SharedState> state_;
  const std::shared_ptr<SessionTable> table_;
  const std::chrono::seconds idle_;
  const Make make_;
  const Cancelled cancelled_;
  std::atomic<std::uint64_t> copies_{0};
  std::atomic<std::chrono::steady_clock::time_point>
      backSince_{}; // the engine; none: it never left
  std::mutex mutex_;
  std::unordered_map<std::string, std::vector<Job>> asked_; // by id, while the engine is asked
  std::unordered_map<std::string, std::weak_ptr<HttpSession>> known_; // by the key of the record
  std::chrono::steady_clock::time_point toldSince_{}; // of what was told from here in that second
  std::size_t told_ = 0;
};

} // namespace skillhost
