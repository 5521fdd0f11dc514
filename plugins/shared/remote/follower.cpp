// SPDX-License-Identifier: Apache-2.0
#include "follower.hpp"

#include <algorithm>
#include <optional>

namespace skillhost::remote {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds beforeDeadline{100}; // time for the error to arrive

} // namespace

struct Follower::Failure {
  std::string why;
  std::optional<seconds> retryAfter;
  skh_status status = SKH_UNAVAILABLE;
};

Follower::Follower(skh::Host host, FollowRules rules, Followed &followed)
    : host_(host), rules_(std::move(rules)), followed_(followed),
      thread_([this](const std::stop_token &stop) { run(stop); }) {}

Follower::~Follower() {
  thread_.request_stop();
  thread_.join();
}

bool Follower::hasToWait() const {
  return !followed_.isServing() || (rules_.awaitNewest && !isNewest_);
}

void Follower::awaitFirst(const skh::Call &call) {
  std::unique_lock lock(mutex_);
  awaitFirst(call, lock);
}

void Follower::awaitFirst(const skh::Call &call, std::unique_lock<std::mutex> &lock) {
  while (hasToWait()) {
    if (!failure_.empty()) throw skh::Error(status_, failure_ + next_);
    await(call, lock);
  }
}

bool Follower::awaitListing(const skh::Call &call, bool isRepeated) {
  std::unique_lock lock(mutex_);
  const bool isLater = hasEnded_;
  if (!isLater) awaitFirst(call, lock);
  if (isLater || isRepeated) requestAndAwait(call, lock);
  awaitFirst(call, lock);
  return isLater || isRepeated;
}

void Follower::requestAndAwait(const skh::Call &call, std::unique_lock<std::mutex> &lock) {
  if (nextRequestedAt_ == Clock::time_point::max()) return; // the content is final
  isRequested_ = true;
  if (std::vector<std::string> trace = traceLines(call); !trace.empty()) trace_ = std::move(trace);
  changed_.notify_all();
  const std::uint64_t until = startedCount_ + 1, failed = failedCount_;
  while (endedCount_ < until && failedCount_ == failed && !isRequestDelayed()) await(call, lock);
}

void Follower::requireServing() {
  const std::lock_guard lock(mutex_);
  if (hasToWait() && !failure_.empty()) throw skh::Error(status_, failure_ + next_);
}

// Waits until something happens, or until it is time to report progress to the call.
void Follower::await(const skh::Call &call, std::unique_lock<std::mutex> &lock) {
  call.point();
  const milliseconds left = call.remaining(milliseconds(40) + beforeDeadline);
  if (left <= beforeDeadline)
    throw skh::Error(SKH_UNAVAILABLE, rules_.name + " is still being fetched");
  changed_.wait_for(lock, left - beforeDeadline);
  lock.unlock();
  call.progress(received_, 0, "fetching " + rules_.name);
  lock.lock();
}

bool Follower::isRequestDelayed() const {
  return startedCount_ == endedCount_ &&
         Clock::now() + rules_.minRequestInterval < nextRequestedAt_;
}

void Follower::requireGood() {
  const std::lock_guard lock(mutex_);
  if (!failure_.empty()) throw skh::Error(status_, failure_);
}

bool Follower::isGood() {
  const std::lock_guard lock(mutex_);
  return failure_.empty();
}

void Follower::requestRefresh() {
  {
    const std::lock_guard lock(mutex_);
    isRequested_ = true;
  }
  changed_.notify_all();
}

void Follower::run(const std::stop_token &stop) {
  try {
    load();
  } catch (const std::exception &error) {
    host_.log(SKH_WARN, error.what());
  }
  tidy(stop);
  while (!stop.stop_requested()) {
    try {
      if (followed_.isSettled())
        stopRefreshing();
      else
        refresh(stop);
    } catch (const std::exception &error) { // no memory, mostly
      endAbruptly(error);
    }
    waitForNext(stop);
  }
}

// Ends a refresh whose result could not even be noted, so that the next one follows after a pause.
void Follower::endAbruptly(const std::exception &error) {
  constexpr seconds pause{60};
  {
    const std::lock_guard lock(mutex_);
    ++endedCount_;
    ++failedCount_;
    hasEnded_ = true;
    nextRefreshAt_ = nextRequestedAt_ = Clock::now() + pause;
  }
  changed_.notify_all();
  host_.log(SKH_WARN, error.what());
}

void Follower::load() {
  try {
    followed_.load();
  } catch (const std::exception &error) {
    host_.log(SKH_WARN, "the cache cannot be used: " + std::string(error.what()));
  }
  publish();
}

void Follower::publish() {
  measure();
  followed_.publish();
  changed_.notify_all();
}

void Follower::refresh(const std::stop_token &stop) {
  std::vector<std::string> trace;
  {
    const std::lock_guard lock(mutex_);
    isRequested_ = false;
    trace.swap(trace_);
    ++startedCount_;
  }
  host_.count("polls");
  received_ = 0;
  Operation operation([&stop] { return stop.stop_requested(); }, Clock::now() + rules_.deadline,
                      rules_.maxBytes, [this](std::uint64_t all) { received_ = all; });
  operation.setTrace(std::move(trace));
  std::optional<Failure> failure;
  try {
    followed_.refresh(operation, [this] { publish(); });
  } catch (const RemoteError &error) {
    failure = {error.what(), error.retryAfter(), error.status()};
  } catch (const std::exception &error) {
    failure = {error.what(), std::nullopt, SKH_UNAVAILABLE};
  }
  host_.count("fetched_bytes", static_cast<double>(operation.bytes()));
  publish();
  if (!failure)
    succeed();
  else if (!stop.stop_requested())
    fail(*failure);
  changed_.notify_all();
  tidy(stop);
}

void Follower::succeed() {
  backOff_.reset();
  if (!loggedFailure_.empty()) host_.log(SKH_INFO, rules_.name + ": answers again");
  loggedFailure_.clear();
  const auto now = std::chrono::system_clock::now();
  std::unique_lock lock(mutex_);
  const bool isNews = !failure_.empty();
  failure_.clear();
  ++endedCount_;
  hasEnded_ = isNewest_ = true;
  nextRequestedAt_ = Clock::now() + rules_.minRequestInterval;
  nextRefreshAt_ = rules_.every.count() == 0
                       ? Clock::time_point::max()
                       : Clock::now() + untilNextRefresh(now, rules_.every, utcOffsetAt(now));
  lock.unlock();
  if (isNews) host_.changed();
}

void Follower::fail(const Failure &failure) {
  const seconds wait = nextPause(backOff_, failure.retryAfter);
  const std::string message = rules_.name + ": " + failure.why;
  const std::string next = "; next try in " + spanText(wait);
  std::string serving = "nothing is served yet";
  if (followed_.isServing()) serving = "serving " + followed_.serving();
  if (followed_.isServing() && followed_.checked() != 0)
    serving += ", checked " + spanText(age()) + " ago";
  // The same failure is logged only once. After that, the gauge `age_seconds` shows it.
  if (loggedFailure_ != failure.why) host_.log(SKH_WARN, message + "; " + serving + next);
  loggedFailure_ = failure.why;
  host_.count("failures");
  std::unique_lock lock(mutex_);
  const bool isNews = failure_ != message;
  failure_ = message;
  next_ = next;
  status_ = failure.status;
  ++endedCount_;
  ++failedCount_;
  hasEnded_ = true;
  nextRefreshAt_ = Clock::now() + wait;
  const milliseconds wanted = std::min(failure.retryAfter.value_or(seconds(0)), wait);
  nextRequestedAt_ = Clock::now() + std::max(rules_.minRequestInterval, wanted);
  lock.unlock();
  if (isNews && followed_.isServing()) host_.changed();
}

// The remote need not be asked, now or later.
void Follower::stopRefreshing() {
  {
    const std::lock_guard lock(mutex_);
    hasEnded_ = isNewest_ = true;
    nextRefreshAt_ = nextRequestedAt_ = Clock::time_point::max();
  }
  changed_.notify_all();
}

void Follower::tidy(const std::stop_token &stop) {
  try {
    followed_.tidy([&stop] {
      if (stop.stop_requested()) throw skh::Error(SKH_CANCELLED, "the host stops");
    });
  } catch (const std::exception &error) {
    host_.log(SKH_DEBUG, error.what());
  }
}

void Follower::measure() {
  if (followed_.checked() != 0) host_.gauge("age_seconds", static_cast<double>(age().count()));
  followed_.measure();
}

seconds Follower::age() const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<seconds>(now) - seconds(followed_.checked());
}

Follower::Clock::time_point Follower::due() const {
  return isRequested_ ? std::min(nextRefreshAt_, nextRequestedAt_) : nextRefreshAt_;
}

void Follower::waitForNext(const std::stop_token &stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested() && Clock::now() < due()) {
    const Clock::time_point until = due();
    const auto isSooner = [&] { return due() < until; };
    if (until == Clock::time_point::max())
      changed_.wait(lock, stop, isSooner);
    else
      changed_.wait_until(lock, stop, until, isSooner);
  }
}

} // namespace skillhost::remote
