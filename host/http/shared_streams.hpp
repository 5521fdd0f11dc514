// SPDX-License-Identifier: Apache-2.0
// The streams of requests whose client has gone and comes back to another replica: the replica that
// runs the request writes down what is told, the other one reads it and passes it on.
#pragma once

#include "base/http.hpp"
#include "event_stream.hpp"
#include "ground/json.hpp"
#include "http_session.hpp"
#include "state/shared_state.hpp"
#include "stream_record.hpp"

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

// A client that has come back for a stream that is elsewhere.
struct StreamFollower {
  std::shared_ptr<HttpExchange> exchange;
  HttpFields further;          // fields of its response
  std::string session;         // the key of its record
  std::string place;           // which copy runs it
  std::uint64_t number = 0;    // of the stream
  std::uint64_t after = 0;     // the last event it has
  bool primed = false;         // as EventStream::attach() has it
  Audience audience;           // what it may hear
  std::shared_ptr<void> watch; // of its credential
  // There is nothing to go on from; `isAway`: that cannot be known now.
  std::function<void(bool isAway)> refuse;
};

// Any thread.
class SharedStreams : public std::enable_shared_from_this<SharedStreams> {
public:
  using After = std::function<void(std::chrono::milliseconds, std::function<void()>)>;
  using Publish = std::function<void(const char *kind, Json members)>;

  SharedStreams(std::shared_ptr<SharedState> state, Publish publish, After after)
      : state_(std::move(state)), publish_(std::move(publish)), after_(std::move(after)) {}

  // From now on what nobody hears of the streams of its requests is written down.
  void keep(const std::shared_ptr<HttpSession> &session);
  // Answers its exchange, at once or within a second.
  std::shared_ptr<StreamFollower> follow(StreamFollower follower);
  // What has to live as long as it is followed.
  void watch(StreamFollower &follower, std::shared_ptr<void> watch);
  // Ends its response; it may come back.
  void leave(const std::shared_ptr<StreamFollower> &follower);
  // The session has ended here; empty: all have.
  void end(const std::string &session);
  // Nobody comes back to its streams: their records are erased.
  void erase(const std::shared_ptr<HttpSession> &session);

  // Another replica asks for a stream of this copy. `stream`: null when there is none any more.
  struct Asking {
    bool isFirst = false; // its client has come back there, and is no more here
    std::string audience; // who asks, as StreamRecord has it
    bool manages = false;
  };
  void asked(const std::shared_ptr<HttpSession> &session, std::uint64_t number,
             const std::shared_ptr<EventStream> &stream, const Asking &asking);
  // A stream was written down.
  void written(const std::string &key);

private:
  struct Following {
    std::string key;
    std::shared_ptr<StreamFollower> follower;
    std::mutex mutex;        // of what follows, and of the follower while an answer is passed on
    bool isOpen = false;     // its response has begun
    bool isAnswered = false; // since who runs it was asked last
    bool isOver = false;
  };
  using FollowingPointer = std::shared_ptr<Following>;
  std::string keyOf(const std::string &session, std::string_view place, std::uint64_t number) const;
  // A stream as it is written down.
  struct Writing {
    std::string key;
    std::shared_ptr<HttpSession> session;
    std::uint64_t number = 0;
    std::shared_ptr<EventStream> stream; // null: it is only to be erased
  };
  void save(const Writing &writing);
  void write(const Writing &writing);
  void put(const Writing &writing);
  // Then the engine is asked for the next write of it, if there is anything new.
  void wrote(const Writing &writing, bool isDone);
  void drop(const std::shared_ptr<HttpSession> &session, const std::vector<std::uint64_t> &numbers);
  void eraseAll(const std::vector<std::string> &keys);
  void ask(const FollowingPointer &following, bool isFirst);
  void lookLater(const FollowingPointer &following, std::chrono::milliseconds patience);
  void read(const FollowingPointer &following, bool isLast);
  void came(const FollowingPointer &following, const Result<std::optional<std::string>> &value,
            bool isLast);
  bool isFor(const Following &following, const StreamRecord &record, bool isLast) const;
  static bool pass(Following &following, const StreamRecord &record);
  std::string audienceOf(const Audience &audience) const;
  void drop(const FollowingPointer &following);
  void over(const FollowingPointer &following);

  const std::shared_ptr<SharedState> state_;
  const Publish publish_;
  const After after_;
  std::mutex mutex_;
  std::unordered_map<std::string, bool> saving_; // by key; true: there is something new since
  std::unordered_multimap<std::string, FollowingPointer> followed_; // by key
};

} // namespace skillhost
