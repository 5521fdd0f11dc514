// SPDX-License-Identifier: Apache-2.0
// Checks messages and the state shared by two instances.
#include "state_parts.hpp"

#include <thread>

namespace skillhost::check {
namespace {

using Clock = StandInCall::Clock;
using std::chrono::milliseconds;

constexpr milliseconds slice{200}; // duration of one wait of many
// Limit for the return of a wait that has ended, as in cancel.
constexpr milliseconds maxReturn{250};
constexpr milliseconds early{20}; // a clock may be read slightly before
constexpr int maxAttempts = 3;    // a busy machine may be late once

void expectMessages(StateUser &user, const std::vector<TakenMessage> &wanted,
                    const std::string &when) {
  std::vector<TakenMessage> got;
  const Clock::time_point until = stateDeadline();
  while (got.size() < wanted.size()) {
    if (Clock::now() >= until)
      fail("receive() gives " + std::to_string(got.size()) + " of " +
               std::to_string(wanted.size()) + " messages " + when,
           "whatever is published after subscribe() has returned comes, also to the sender");
    StateUser::Received received = user.receive(slice);
    expectStatus(user, received.status, SKH_OK, "receive() " + when);
    for (TakenMessage &one : received.messages)
      if (!one.channel.empty()) got.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < got.size(); ++i)
    if (i >= wanted.size() || got[i].channel != wanted[i].channel ||
        got[i].payload != wanted[i].payload)
      fail("receive() gives other messages than were published " + when +
               ", or in another order; the first that differs is number " + std::to_string(i + 1),
           "only those of channels that are subscribed to, in the order of sending");
}

void expectNone(StateUser &user, const std::string &when) {
  const StateUser::Received received = user.receive(slice);
  expectStatus(user, received.status, SKH_OK, "receive() " + when);
  for (const TakenMessage &one : received.messages)
    if (!one.channel.empty()) fail("receive() gives a message " + when);
}

// Duration of the wait, and delay of its return after `over`.
struct Wait {
  milliseconds whole{}, late{};
};
Wait waitOnce(StateUser &user, Clock::time_point over, const StandInCall &call, bool cancelled) {
  const Clock::time_point begun = Clock::now();
  const StateUser::Received received = user.receive(call);
  const Clock::time_point back = Clock::now();
  const bool expected =
      received.status == SKH_OK || (cancelled && received.status == SKH_CANCELLED);
  if (!expected)
    fail(std::string("receive() that ") + (cancelled ? "was cancelled" : "came to its deadline") +
             " is " + statusName(received.status) + user.message(),
         "SKH_OK, with none or with what has come");
  if (!received.messages.empty()) return {};
  return {std::chrono::duration_cast<milliseconds>(back - begun),
          std::chrono::duration_cast<milliseconds>(back - over)};
}

void checkEnds(StateUser &user) {
  for (const bool cancelled : {false, true}) {
    const char *const how = cancelled ? "it was cancelled" : "its deadline";
    milliseconds best = milliseconds::max();
    for (int attempt = 0; attempt < maxAttempts && best > maxReturn; ++attempt) {
      const Clock::time_point over = Clock::now() + slice;
      const StandInCall call(cancelled ? patience() : over,
                             cancelled ? over : StandInCall::never());
      const Wait wait = waitOnce(user, over, call, cancelled);
      if (wait.late < -early)
        fail("receive() comes back without a message after " + std::to_string(wait.whole.count()) +
                 " ms, before " + how,
             "wait: the host calls it again at once");
      best = std::min(best, wait.late);
    }
    if (best > maxReturn)
      fail("receive() comes back " + std::to_string(best.count()) + " ms after " + how +
               "; 250 ms are allowed",
           "wait no longer than until the deadline, and poll cancelled() at least every 50 ms");
  }
}

void checkWoken(StateUser &user, const std::string &channel) {
  // Publishes while receive() is waiting, in a call that overlaps it.
  skh_status sent = SKH_FAILED;
  std::thread other([&] { sent = user.publishMeanwhile(channel, "woken"); });
  const auto join = [&other] {
    if (other.joinable()) other.join();
  };
  try {
    expectMessages(user, {{channel, "woken", false}}, "by a call that overlaps it");
  } catch (...) {
    join();
    throw;
  }
  join();
  expectStatus(user, sent, SKH_OK, "publish() while receive() waits");
}

} // namespace

void checkStateMessages(StateUser &user) {
  const std::string news = user.key("news"), weather = user.key(std::string("w\0\r\n", 4));
  expectStatus(user, user.unsubscribe(news), SKH_NOT_FOUND,
               "unsubscribe() from a channel that was not subscribed to");
  expectStatus(user, user.publish(news, "nobody hears it"), SKH_OK,
               "publish() where nobody is subscribed");
  for (const std::string &channel : {news, news, weather})
    expectStatus(user, user.subscribe(channel), SKH_OK, "subscribe()");
  const std::string bytes("\0\r\n\xFF", 4), largest(maxStateValueBytes, 'm');
  const std::vector<TakenMessage> sent{{news, "1", false},
                                       {news, "", false},
                                       {news, bytes, false},
                                       {news, largest, false},
                                       {news, "5", false}};
  for (const TakenMessage &one : sent)
    expectStatus(user, user.publish(one.channel, one.payload), SKH_OK, "publish()");
  expectMessages(user, sent, "of one channel");
  expectStatus(user, user.publish(weather, bytes), SKH_OK, "publish()");
  expectMessages(user, {{weather, bytes, false}}, "of a channel whose name has any bytes");
  checkEnds(user);
  checkWoken(user, news);
  expectStatus(user, user.unsubscribe(news), SKH_OK, "unsubscribe()");
  expectStatus(user, user.unsubscribe(news), SKH_NOT_FOUND, "unsubscribe() a second time");
  expectStatus(user, user.publish(news, "too late"), SKH_OK, "publish()");
  expectNone(user, "of a channel that was unsubscribed from");
  expectStatus(user, user.unsubscribe(weather), SKH_OK, "unsubscribe()");
}

void checkStateShared(StateUser &one, StateUser &other) {
  const std::string key = one.key("shared"), channel = one.key("both");
  expectStatus(one, one.put(key, "value", stateLifetime), SKH_OK, "put()");
  expectValue(other, key, "value", "by a second instance with the same configuration");
  expectStatus(other, other.compareAndSet(key, "value", "theirs", stateLifetime), SKH_OK,
               "compare_and_set() by a second instance");
  expectStatus(one, one.erase(key, "value"), SKH_STALE,
               "erase() of what a second instance has replaced");
  expectStatus(one, one.erase(key), SKH_OK, "erase()");
  expectValue(other, key, std::nullopt, "by a second instance after erase()");
  for (StateUser *const each : {&one, &other})
    expectStatus(*each, each->subscribe(channel), SKH_OK, "subscribe()");
  expectStatus(other, other.publish(channel, "for both"), SKH_OK, "publish()");
  for (StateUser *const each : {&one, &other})
    expectMessages(*each, {{channel, "for both", false}}, "of a second instance");
  expectStatus(one, one.unsubscribe(channel), SKH_OK, "unsubscribe()");
  expectStatus(other, other.publish(channel, "for one"), SKH_OK, "publish()");
  expectMessages(other, {{channel, "for one", false}}, "after the first instance has left");
  expectNone(one, "that only the second instance is subscribed to");
  expectStatus(other, other.unsubscribe(channel), SKH_OK, "unsubscribe()");
}

} // namespace skillhost::check
