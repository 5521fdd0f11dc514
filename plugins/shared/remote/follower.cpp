// SPDX-License-Identifier: Apache-2.0
#include "follower.hpp"

#include <algorithm>

namespace skillhost::remote {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds betweenAsked{60};
constexpr milliseconds beforeDeadline{100}; // so that the reason still arrives

} // namespace

Follower::Follower(skh::Host host, FollowRules rules, Followed &followed)
    : host_(host), rules_(std::move(rules)), followed_(followed),
      thread_([this](const std::stop_token &stop) { run(stop); }) {}

Follower::~Follower() {
  thread_.request_stop();
  thread_.join();
}

void Follower::awaitFirst(const skh::Call &call) {
  std::unique_lock lock(mutex_);
  while (!followed_.isServing()) {
    if (!failure_.empty()) throw skh::Error(SKH_UNAVAILABLE, failure_);
    call.point();
    const milliseconds left = call.remaining(milliseconds(40) + beforeDeadline);
    if (left <= beforeDeadline)
      throw skh::Error(SKH_UNAVAILABLE, rules_.name + " is still being fetched");
    changed_.wait_for(lock, left - beforeDeadline);
  }
}

void Follower::ask() {
  {
    const std::lock_guard lock(mutex_);
    if (asked_) return;
    const auto now = Clock::now();
    // Put off, not dropped: there may be news since the last look.
    if (now < askable_ && next_ <= askable_) return;
    next_ = std::max(now, askable_);
    asked_ = true;
  }
  changed_.notify_all();
}

void Follower::run(const std::stop_token &stop) {
  try {
    followed_.load();
  } catch (const std::exception &error) {
    host_.log(SKH_WARN, "the cache cannot be used: " + std::string(error.what()));
  }
  changed_.notify_all();
  while (!stop.stop_requested()) {
    look(stop);
    waitForNext(stop);
  }
}

void Follower::look(const std::stop_token &stop) {
  host_.count("looks");
  Operation operation([&stop] { return stop.stop_requested(); }, Clock::now() + rules_.deadline,
                      rules_.mostBytes);
  try {
    followed_.look(operation);
    succeed();
  } catch (const RemoteError &error) {
    fail(error.what(), error.retryAfter());
  } catch (const std::exception &error) {
    if (!stop.stop_requested()) fail(error.what(), std::nullopt);
  }
  host_.count("fetched_bytes", static_cast<double>(operation.bytes()));
  if (followed_.checked() != 0) host_.gauge("age_seconds", static_cast<double>(age().count()));
  changed_.notify_all();
}

seconds Follower::age() const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<seconds>(now) - seconds(followed_.checked());
}

void Follower::succeed() {
  backOff_.succeeded();
  if (!loggedFailure_.empty()) host_.log(SKH_INFO, rules_.name + ": answers again");
  loggedFailure_.clear();
  const auto now = std::chrono::system_clock::now();
  const std::lock_guard lock(mutex_);
  failure_.clear();
  askable_ = Clock::now() + betweenAsked;
  next_ = rules_.every.count() == 0
              ? Clock::time_point::max()
              : Clock::now() + untilNextLook(now, rules_.every, utcOffsetAt(now));
}

void Follower::fail(const std::string &why, std::optional<seconds> retryAfter) {
  const seconds wait = backOff_.failed(retryAfter);
  const std::string serving = followed_.isServing() ? "serving " + followed_.serving() +
                                                          ", checked " + spanText(age()) + " ago"
                                                    : std::string("nothing is served yet");
  // The same trouble is told once; what follows is told by the gauge `age_seconds`.
  if (loggedFailure_ != why)
    host_.log(SKH_WARN,
              rules_.name + ": " + why + "; " + serving + "; next try in " + spanText(wait));
  loggedFailure_ = why;
  host_.count("failures");
  const std::lock_guard lock(mutex_);
  failure_ = rules_.name + ": " + why + "; next try in " + spanText(wait);
  next_ = Clock::now() + wait;
  askable_ = retryAfter ? next_ : Clock::now() + betweenAsked;
}

void Follower::waitForNext(const std::stop_token &stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested() && Clock::now() < next_) {
    asked_ = false; // whoever asks from here on brings next_ forward
    const auto isAsked = [this] { return asked_; };
    if (next_ == Clock::time_point::max())
      changed_.wait(lock, stop, isAsked);
    else
      changed_.wait_until(lock, stop, Clock::time_point(next_), isAsked);
  }
  asked_ = false;
}

} // namespace skillhost::remote
