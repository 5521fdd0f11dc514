// SPDX-License-Identifier: Apache-2.0
// The channels that are listened to, on a connection and a thread of their own: they are asked for
// again after each outage.
#pragma once

#include "../engine/engine.hpp"
#include "queue.hpp"

#include "ground/descriptor.hpp"

#include <deque>
#include <map>
#include <string>
#include <thread>

namespace skillhost::valkey {

// Any thread.
class Subscriptions {
public:
  static constexpr std::size_t mostChannels = 1'024;

  // All must outlive it. Throws std::system_error.
  Subscriptions(Engine &engine, const Settings &settings, Tally &tally, skh::Host host);
  ~Subscriptions();
  Subscriptions(const Subscriptions &) = delete;
  Subscriptions &operator=(const Subscriptions &) = delete;

  // Returns when the engine has confirmed it. Throws skh::Error: SKH_UNAVAILABLE and SKH_DEADLINE,
  // and the channel is remembered; SKH_CANCELLED; SKH_TOO_LARGE for too many; SKH_DENIED when the
  // user may not, and it is forgotten.
  void add(const std::string &channel, const Limit &limit);
  // False: it was not listened to.
  bool remove(const std::string &channel);
  MessageQueue &queue() noexcept { return queue_; }

private:
  enum class Standing { Wanted, Confirmed, Denied };
  struct Command {
    bool isSubscribe;
    std::string channel;
  };
  struct Listening; // the thread's own view of one connection

  void wake() noexcept;
  void run();
  std::unique_ptr<Connection> connect();
  bool waitForChannels();
  void pause();
  void listen(Connection &connection);
  void sendWaiting(Listening &listening);
  // False: there may be more.
  bool takeWhatCame(Listening &listening);
  void checkSilence(Listening &listening);
  void take(Listening &listening, Reply reply);
  void confirm(Listening &listening, const std::string &channel);
  void deny(Listening &listening, const std::string &error);
  void deliver(std::string channel, std::string payload);
  void tellOfGap();
  void fail(const std::string &why);

  Engine &engine_;
  const Settings &settings_;
  Tally &tally_;
  const skh::Host host_;
  MessageQueue queue_;
  Descriptor event_; // readable when there is something to send, or to stop for

  std::mutex mutex_; // of what follows
  std::condition_variable changed_;
  std::map<std::string, Standing> channels_;
  std::map<std::string, std::string> denials_; // why
  std::deque<Command> waiting_;                // to be sent by the connection that there is
  std::string why_;                            // there is none, after a try; empty: there may be
  bool isConnected_ = false;

  bool hasGap_ = false; // of the thread: something may have been missed, and will be said
  BackOff backOff_;     // of the thread
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

} // namespace skillhost::valkey
