// SPDX-License-Identifier: Apache-2.0
#include "refresher.hpp"

namespace skillhost::github {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds betweenAsked{60};
constexpr milliseconds beforeDeadline{100}; // so that the reason still arrives

std::string shortened(const std::string &commit) { return commit.substr(0, 12); }

} // namespace

Refresher::Refresher(skh::Host host, const Settings &settings, Mirror &mirror, History &history)
    : host_(host), settings_(settings), mirror_(mirror), history_(history),
      thread_([this](const std::stop_token &stop) { run(stop); }) {}

Refresher::~Refresher() {
  thread_.request_stop();
  thread_.join();
}

bool Refresher::awaitFirst(const skh::Call &call) {
  std::unique_lock lock(mutex_);
  const bool hadToWait = awaits();
  while (awaits()) {
    if (!failure_.empty()) throw skh::Error(SKH_UNAVAILABLE, failure_);
    call.point();
    lock.unlock();
    call.progress(received_, 0, "fetching " + settings_.address.url);
    lock.lock();
    if (!awaits() || !failure_.empty()) continue;
    const milliseconds left = call.remaining(milliseconds(40) + beforeDeadline);
    if (left <= beforeDeadline)
      throw skh::Error(SKH_UNAVAILABLE, settings_.address.url + " is still being fetched");
    changed_.wait_for(lock, left - beforeDeadline);
  }
  return hadToWait;
}

bool Refresher::awaits() const { return !history_.newest() || (settings_.awaitNewest && !looked_); }

void Refresher::looked() {
  {
    const std::lock_guard lock(mutex_);
    looked_ = true;
  }
  changed_.notify_all();
}

void Refresher::ask() {
  {
    const std::lock_guard lock(mutex_);
    if (asked_) return;
    if (Clock::now() < askable_) { // put off, not dropped: there may be news since the last look
      if (next_ <= askable_) return;
      next_ = askable_;
      sooner_ = true;
    } else {
      asked_ = true;
    }
  }
  changed_.notify_all();
}

void Refresher::run(const std::stop_token &stop) {
  loadKnown(stop);
  while (!stop.stop_requested()) {
    if (!mirror_.isSettled())
      look(stop);
    else
      looked();
    waitForNext(stop);
  }
}

void Refresher::loadKnown(const std::stop_token &stop) {
  try {
    SnapshotPointer known = mirror_.load();
    measure(); // before anybody is told that there is something to see
    if (known) publish(std::move(known));
    mirror_.keep([&stop] {
      if (stop.stop_requested()) throw skh::Error(SKH_CANCELLED, "the host stops");
    });
  } catch (const std::exception &error) {
    host_.log(SKH_WARN, "the cache cannot be used: " + std::string(error.what()));
  }
}

void Refresher::look(const std::stop_token &stop) {
  std::uint64_t bytes = 0;
  try {
    attempt(stop, bytes);
    succeed();
  } catch (const remote::RemoteError &error) {
    fail(error.what(), error.retryAfter());
  } catch (const std::exception &error) {
    if (!stop.stop_requested()) fail(error.what(), std::nullopt);
  }
  host_.count("fetched_bytes", static_cast<double>(bytes));
  measure();
}

void Refresher::attempt(const std::stop_token &stop, std::uint64_t &bytes) {
  host_.count("looks");
  remote::Operation operation([&stop] { return stop.stop_requested(); },
                              remote::Operation::Clock::now() + settings_.deadline,
                              settings_.limits.maxFetchBytes,
                              [this](std::uint64_t all) { received_ = all; });
  SnapshotPointer fresh;
  try {
    fresh = mirror_.refresh(operation);
  } catch (...) {
    bytes = operation.bytes();
    throw;
  }
  bytes = operation.bytes();
  const bool isNew = fresh != nullptr;
  if (isNew) publish(std::move(fresh));
  fresh = mirror_.refreshForeign(operation);
  bytes = operation.bytes();
  if (isNew || fresh) {
    host_.count("fetches");
    if (fresh) publish(std::move(fresh));
    const auto checkpoint = [&] { operation.proceed(); };
    mirror_.keep(checkpoint);
    mirror_.tidy(checkpoint);
  }
  looked();
}

void Refresher::publish(SnapshotPointer snapshot) {
  host_.log(SKH_INFO, settings_.address.url + ": commit " + shortened(snapshot->id) + " with " +
                          std::to_string(snapshot->skills.size()) + " skills");
  history_.add(std::move(snapshot));
  changed_.notify_all();
  if (history_.hasNews()) host_.changed();
}

void Refresher::succeed() {
  backOff_.succeeded();
  if (!loggedFailure_.empty()) host_.log(SKH_INFO, settings_.address.url + ": answers again");
  loggedFailure_.clear();
  const auto now = std::chrono::system_clock::now();
  const std::lock_guard lock(mutex_);
  failure_.clear();
  askable_ = Clock::now() + betweenAsked;
  next_ = settings_.refreshEvery.count() == 0
              ? Clock::time_point::max()
              : Clock::now() +
                    remote::untilNextLook(now, settings_.refreshEvery, remote::utcOffsetAt(now));
}

void Refresher::fail(const std::string &why, std::optional<seconds> retryAfter) {
  const seconds wait = backOff_.failed(retryAfter);
  const bool isServing = history_.newest() != nullptr;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const seconds age = std::chrono::duration_cast<seconds>(now) - seconds(mirror_.checked());
  const std::string serving = isServing ? "serving commit " + shortened(mirror_.commit()) +
                                              ", checked " + remote::spanText(age) + " ago"
                                        : std::string("nothing is served yet");
  // The same trouble is told once; what follows is told by the gauge `age_seconds`.
  if (loggedFailure_ != why)
    host_.log(SKH_WARN, settings_.address.url + ": " + why + "; " + serving + "; next try in " +
                            remote::spanText(wait));
  loggedFailure_ = why;
  host_.count("failures");
  {
    const std::lock_guard lock(mutex_);
    failure_ = settings_.address.url + ": " + why + "; next try in " + remote::spanText(wait);
    next_ = Clock::now() + wait;
    askable_ = retryAfter ? next_ : Clock::now() + betweenAsked;
  }
  changed_.notify_all();
}

void Refresher::measure() {
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t unixSeconds = std::chrono::duration_cast<seconds>(wall).count();
  if (const Budget *const budget = mirror_.budget(); budget != nullptr && budget->limit() >= 0) {
    const std::int64_t left = std::max<std::int64_t>(budget->reset() - unixSeconds, 0);
    host_.gauge("rate_limit", static_cast<double>(budget->limit()));
    host_.gauge("rate_limit_remaining", static_cast<double>(budget->remaining(unixSeconds)));
    host_.gauge("rate_limit_reset_seconds", static_cast<double>(left));
  }
  if (mirror_.checked() == 0) return;
  host_.gauge("age_seconds", static_cast<double>(unixSeconds - mirror_.checked()));
}

void Refresher::waitForNext(const std::stop_token &stop) {
  std::unique_lock lock(mutex_);
  if (mirror_.isSettled()) next_ = Clock::time_point::max();
  const auto isDue = [this] { return asked_ || sooner_; };
  do {
    sooner_ = false;
    if (next_ == Clock::time_point::max())
      changed_.wait(lock, stop, isDue);
    else
      changed_.wait_until(lock, stop, Clock::time_point(next_), isDue);
  } while (sooner_ && !asked_ && !stop.stop_requested());
  asked_ = false;
}

} // namespace skillhost::github
