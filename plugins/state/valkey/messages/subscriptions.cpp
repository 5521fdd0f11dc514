// SPDX-License-Identifier: Apache-2.0
#include "subscriptions.hpp"

#include "../refusal.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace skillhost::valkey {
namespace {

constexpr std::chrono::milliseconds firstListeningPause{50}, lookEvery{250};
constexpr double listeningSpread = 0.5;
constexpr int maxMessagesPerRound =
    1'024; // messages, before the thread checks for commands to send

Descriptor newEvent() {
  Descriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event) throw std::system_error(errno, std::generic_category(), "eventfd");
  return event;
}

bool isOf(const Reply &reply, std::string_view kind, std::size_t size) {
  return reply.kind == Reply::Kind::List && reply.elements.size() == size &&
         reply.elements.front().text == kind;
}

} // namespace

struct Subscriptions::Listening {
  Connection &connection;
  std::deque<std::string> asked; // channels without a confirmation yet, in order
  Limit::Clock::time_point heard = Limit::Clock::now();
  std::optional<Limit::Clock::time_point> expectsSince{}; // start of the wait for an answer

  void expect() {
    if (!expectsSince) expectsSince = Limit::Clock::now();
  }
  void hear() {
    heard = Limit::Clock::now();
    if (asked.empty())
      expectsSince.reset();
    else
      expectsSince = heard;
  }
};

Subscriptions::Subscriptions(Engine &engine, const Settings &settings, Tally &tally, skh::Host host)
    : engine_(engine), settings_(settings), tally_(tally), host_(host), event_(newEvent()),
      backOff_(
          {std::min(firstListeningPause, settings.maxPause), settings.maxPause, listeningSpread}),
      thread_([this] { run(); }) {}

Subscriptions::~Subscriptions() {
  stop_ = true;
  {
    const std::scoped_lock lock(mutex_);
    changed_.notify_all();
  }
  wake();
  thread_.join();
}

void Subscriptions::wake() noexcept {
  // If the counter is full, the event is readable as well.
  const std::uint64_t one = 1;
  static_cast<void>(!::write(event_.number(), &one, sizeof one));
}

void Subscriptions::add(const std::string &channel, const Limit &limit) {
  std::unique_lock lock(mutex_);
  const auto found = channels_.find(channel);
  if (found != channels_.end() && found->second == ChannelState::Confirmed) return;
  if (found == channels_.end()) {
    if (channels_.size() >= maxChannels)
      throw skh::Error(SKH_TOO_LARGE,
                       "at most " + std::to_string(maxChannels) + " channels can be subscribed to");
    channels_.emplace(channel, ChannelState::Wanted);
    if (isConnected_) waiting_.push_back({true, channel});
  }
  wake();
  changed_.notify_all();
  // Throws early if the engine is known to be away, before the thread notices that on its own
  // connection.
  engine_.refuseWhileAway();
  while (true) {
    const auto now = channels_.find(channel);
    if (now == channels_.end())
      throw skh::Error(SKH_FAILED, "the channel was unsubscribed from meanwhile");
    if (now->second == ChannelState::Confirmed) return;
    if (now->second == ChannelState::Denied) {
      const std::string why = denials_[channel];
      channels_.erase(now);
      denials_.erase(channel);
      throw skh::Error(SKH_DENIED, why);
    }
    if (!why_.empty()) throw skh::Error(SKH_UNAVAILABLE, "not subscribed yet: " + why_);
    changed_.wait_for(lock, limit.wait("who is subscribed at"));
  }
}

bool Subscriptions::remove(const std::string &channel) {
  const std::scoped_lock lock(mutex_);
  if (channels_.erase(channel) == 0) return false;
  denials_.erase(channel);
  if (isConnected_) waiting_.push_back({false, channel});
  wake();
  changed_.notify_all();
  return true;
}

bool Subscriptions::waitForChannels() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stop_ || !channels_.empty(); });
  return !stop_;
}

void Subscriptions::fail(const std::string &why) {
  const std::scoped_lock lock(mutex_);
  // Counts a loss once per outage, however often connecting fails, and again when the outage ends.
  if (!channels_.empty() && !std::exchange(hasGap_, true)) {
    queue_.markLoss();
    tally_.losses.add();
  }
  isConnected_ = false;
  waiting_.clear();
  for (auto &[channel, state] : channels_)
    if (state == ChannelState::Confirmed) state = ChannelState::Wanted;
  why_ = why;
  changed_.notify_all();
}

void Subscriptions::pause() {
  // Ends early when the engine is back, because the keeper may find that out first.
  const auto until = Limit::Clock::now() + backOff_.next();
  bool wasHealthy = engine_.isHealthy();
  while (!stop_ && Limit::Clock::now() < until) {
    const bool isHealthy = engine_.isHealthy();
    if (isHealthy && !wasHealthy) return;
    wasHealthy = isHealthy;
    std::unique_lock lock(mutex_);
    const auto slice = std::min(until, Limit::Clock::now() + lookEvery);
    changed_.wait_until(lock, slice, [this] { return stop_.load(); });
  }
}

void Subscriptions::run() {
  while (waitForChannels()) {
    try {
      const std::unique_ptr<Connection> connection = connect();
      listen(*connection);
      return; // stop_ was set
    } catch (const std::exception &error) {
      if (stop_) return;
      host_.log(SKH_DEBUG, std::string("subscriptions: ") + error.what());
      fail(error.what());
    }
    pause();
  }
}

std::unique_ptr<Connection> Subscriptions::connect() {
  auto connection =
      engine_.openForSubscriptions(Limit(stop_, settings_.connectTimeout + settings_.timeout));
  const std::scoped_lock lock(mutex_);
  isConnected_ = true;
  why_.clear();
  waiting_.clear();
  for (const auto &[channel, state] : channels_)
    if (state == ChannelState::Wanted) waiting_.push_back({true, channel});
  return connection;
}

void Subscriptions::sendWaiting(Listening &listening) {
  std::string commands;
  {
    const std::scoped_lock lock(mutex_);
    for (Command &command : waiting_) {
      commands += commandOf({command.isSubscribe ? "SUBSCRIBE" : "UNSUBSCRIBE", command.channel});
      if (command.isSubscribe) listening.asked.push_back(std::move(command.channel));
    }
    waiting_.clear();
  }
  if (commands.empty()) return;
  listening.connection.send(commands, Limit(stop_, settings_.timeout));
  listening.expect();
}

bool Subscriptions::receiveAvailable(Listening &listening) {
  for (int count = 0; count < maxMessagesPerRound && !stop_; ++count) {
    auto reply = listening.connection.receiveNow();
    if (!reply) return true;
    take(listening, *std::move(reply));
    listening.hear();
  }
  return false;
}

void Subscriptions::checkSilence(Listening &listening) {
  const auto now = Limit::Clock::now();
  const std::string who = listening.connection.address().text();
  if (listening.expectsSince && now - *listening.expectsSince >= settings_.timeout)
    throw EngineSilent(who + " does not answer who is subscribed there");
  if (!engine_.serves(listening.connection.address()))
    throw ConnectionLost(who + " is not the one to be subscribed to any more");
  if (listening.expectsSince || now - listening.heard < settings_.ping) return;
  listening.connection.send(commandOf({"PING"}), Limit(stop_, settings_.timeout));
  listening.expect();
}

void Subscriptions::listen(Connection &connection) {
  Listening listening{connection, {}};
  const auto most = std::min(lookEvery, settings_.ping);
  for (bool isEmptied = true; !stop_;) {
    sendWaiting(listening);
    if (listening.asked.empty()) reportGap();
    std::array<pollfd, 2> awaited{
        {{connection.descriptor(), POLLIN, 0}, {event_.number(), POLLIN, 0}}};
    static_cast<void>(
        ::poll(awaited.data(), awaited.size(), isEmptied ? static_cast<int>(most.count()) : 0));
    std::uint64_t count = 0;
    if (awaited[1].revents != 0) static_cast<void>(!::read(event_.number(), &count, sizeof count));
    isEmptied = receiveAvailable(listening);
    checkSilence(listening);
  }
}

void Subscriptions::take(Listening &listening, Reply reply) {
  if (isOf(reply, "message", 3))
    return deliver(std::move(reply.elements[1].text), std::move(reply.elements[2].text));
  if (isOf(reply, "subscribe", 3)) return confirm(listening, reply.elements[1].text);
  if (isOf(reply, "unsubscribe", 3) || isOf(reply, "pong", 2) || reply.isStatus("PONG")) return;
  if (reply.isError()) return deny(listening, reply.text);
  throw ConnectionLost(listening.connection.address().text() + " says what no subscriber expects");
}

void Subscriptions::confirm(Listening &listening, const std::string &channel) {
  if (listening.asked.empty() || listening.asked.front() != channel)
    throw ConnectionLost(listening.connection.address().text() +
                         " confirms what nobody has asked for");
  listening.asked.pop_front();
  backOff_.reset();
  // Reports the loss before a waiting add() returns, because the caller may then cause the first
  // message.
  if (listening.asked.empty()) reportGap();
  const std::scoped_lock lock(mutex_);
  const auto found = channels_.find(channel);
  if (found == channels_.end()) return; // no longer wanted
  found->second = ChannelState::Confirmed;
  changed_.notify_all();
}

void Subscriptions::deny(Listening &listening, const std::string &error) {
  const std::string said = listening.connection.address().text() + ": " + shownError(error);
  if (listening.asked.empty() || refusalOf(error) != Refusal::NoPermission)
    throw ConnectionLost(said);
  const std::string channel = std::move(listening.asked.front());
  listening.asked.pop_front();
  host_.log(SKH_ERROR, "a channel cannot be subscribed to: " + said);
  const std::scoped_lock lock(mutex_);
  const auto found = channels_.find(channel);
  if (found == channels_.end()) return;
  found->second = ChannelState::Denied;
  denials_[channel] = said;
  changed_.notify_all();
}

void Subscriptions::deliver(std::string channel, std::string payload) {
  {
    const std::scoped_lock lock(mutex_);
    if (!channels_.contains(channel)) return;
  }
  tally_.messages.add();
  if (!queue_.add({std::move(channel), std::move(payload)})) tally_.losses.add();
}

void Subscriptions::reportGap() {
  if (!hasGap_) return;
  hasGap_ = false;
  queue_.markLoss();
  host_.log(SKH_INFO, "subscribed again: messages may have been missed meanwhile");
}

} // namespace skillhost::valkey
