// SPDX-License-Identifier: Apache-2.0
// Subscribes to channels on a connection and a thread of its own, and subscribes again after each
// outage.
#pragma once

#include "../engine/engine.hpp"
#include "queue.hpp"

#include "ground/descriptor.hpp"

#include <deque>
#include <map>
#include <string>
#include <thread>

namespace skillhost::valkey {

// Any thread may use it.
class Subscriptions {
public:
  static constexpr std::size_t maxChannels = 1'024;

  // All arguments must outlive it. Throws std::system_error.
  Subscriptions(Engine &engine, const Settings &settings, Tally &tally, skh::Host host);
  ~Subscriptions();
  Subscriptions(const Subscriptions &) = delete;
  Subscriptions &operator=(const Subscriptions &) = delete;

  // Returns when the engine has confirmed the subscription. Throws skh::Error: SKH_UNAVAILABLE and
  // SKH_DEADLINE, and the channel is remembered; SKH_CANCELLED; SKH_TOO_LARGE if there are too
  // many; SKH_DENIED if the user may not subscribe, and the channel is forgotten.
  void add(const std::string &channel, const Limit &limit);
  // Returns false if the channel was not subscribed to.
  bool remove(const std::string &channel);
  MessageQueue &queue() noexcept { return queue_; }

private:
  enum class ChannelState { Wanted, Confirmed, Denied };
  struct Command {
    bool isSubscribe;
    std::string channel;
  };
  struct Listening; // the thread's state of one connection

  void wake() noexcept;
  void run();
  std::unique_ptr<Connection> connect();
  bool waitForChannels();
  void pause();
  void listen(Connection &connection);
  void sendWaiting(Listening &listening);
  // Returns false if more may be available.
  bool receiveAvailable(Listening &listening);
  void checkSilence(Listening &listening);
  void take(Listening &listening, Reply reply);
  void confirm(Listening &listening, const std::string &channel);
  void deny(Listening &listening, const std::string &error);
  void deliver(std::string channel, std::string payload);
  void reportGap();
  void fail(const std::string &why);

  Engine &engine_;
  const Settings &settings_;
  Tally &tally_;
  const skh::Host host_;
  MessageQueue queue_;
  Descriptor event_; // readable if there is something to send, or at the end

  std::mutex mutex_; // guards the members below
  std::condition_variable changed_;
  std::map<std::string, ChannelState> channels_;
  std::map<std::string, std::string> denials_; // reason by channel
  std::deque<Command> waiting_;                // to be sent over the present connection
  // Reason why there is no connection after an attempt; empty: there may be one.
  std::string why_;
  bool isConnected_ = false;

  // Only for the thread: messages may have been missed, which must be reported.
  bool hasGap_ = false;
  BackOff backOff_; // only for the thread
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

} // namespace skillhost::valkey
