// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

#include <stdexcept>

namespace skillhost::remote::test {
namespace {

constexpr std::chrono::seconds patience{100};

Diary &diaryOf(const skh_host *host) { return static_cast<const LentHost *>(host)->diary; }

} // namespace

void Diary::write(const std::string &line) {
  const std::lock_guard lock(mutex_);
  lines_.push_back(line);
  written_.notify_all();
}

void Diary::count(const std::string &name, double by) {
  const std::lock_guard lock(mutex_);
  metrics_[name] += by;
}

std::size_t Diary::countOf(const std::string &line) const {
  std::size_t found = 0;
  for (const std::string &one : lines_) found += one.starts_with(line) ? 1 : 0;
  return found;
}

void Diary::await(const std::string &line, std::size_t times) {
  std::unique_lock lock(mutex_);
  if (written_.wait_for(lock, patience, [&] { return countOf(line) >= times; })) return;
  std::string all;
  for (const std::string &one : lines_) all += one + '\n';
  throw std::runtime_error("never told: " + line + "\n" + all);
}

std::size_t Diary::times(const std::string &line) {
  const std::lock_guard lock(mutex_);
  return countOf(line);
}

std::vector<std::string> Diary::lines() {
  const std::lock_guard lock(mutex_);
  return lines_;
}

double Diary::metric(const std::string &name) {
  const std::lock_guard lock(mutex_);
  return metrics_[name];
}

LentHost::LentHost(Diary &to)
    : skh_host{sizeof(skh_host),
               SKH_ABI_MINOR,
               skh::borrow("test"),
               skh::borrow("1"),
               skh::borrow("test"),
               skh::borrow("{}"),
               skh::borrow(""),
               [](const skh_host *host, std::int32_t, skh_str text) noexcept {
                 diaryOf(host).write("log: " + std::string(skh::view(text)));
               },
               [](const skh_host *host, std::int32_t kind, skh_str figure, double value) noexcept {
                 const std::string named(skh::view(figure));
                 if (kind == SKH_COUNTER)
                   diaryOf(host).count(named, value);
                 else
                   diaryOf(host).write("gauge: " + named);
               },
               [](const skh_host *host) noexcept { diaryOf(host).write("changed"); },
               [](const skh_host *, const char *) noexcept -> const void * { return nullptr; }},
      diary(to) {}

LentCall::LentCall(Diary &to, Clock::time_point deadline)
    : skh_call{sizeof(skh_call),
               0,
               std::chrono::nanoseconds(deadline.time_since_epoch()).count(),
               [](const skh_call *call) noexcept -> std::int32_t {
                 return static_cast<const LentCall *>(call)->isCancelled ? 1 : 0;
               },
               [](const skh_call *call, std::uint64_t done, std::uint64_t, skh_str what) noexcept {
                 static_cast<const LentCall *>(call)->diary.write(
                     "progress: " + std::to_string(done) + " " + std::string(skh::view(what)));
               },
               [](const skh_call *, skh_str) noexcept {}},
      diary(to) {}

void Remote::then(Answer answer) {
  const std::lock_guard lock(mutex_);
  answers_.push_back(std::move(answer));
}

Remote::Answer Remote::held() {
  return [this](Operation &operation) {
    std::unique_lock lock(mutex_);
    while (!letGo_.wait_for(lock, std::chrono::milliseconds(operation.waitSliceMs()),
                            [this] { return isLetGo_; }))
      operation.checkpoint();
    isLetGo_ = false;
  };
}

void Remote::letGo() {
  const std::lock_guard lock(mutex_);
  isLetGo_ = true;
  letGo_.notify_all();
}

std::vector<Clock::time_point> Remote::began() {
  const std::lock_guard lock(mutex_);
  return began_;
}

std::vector<Clock::time_point> Remote::ended() {
  const std::lock_guard lock(mutex_);
  return ended_;
}

void Remote::load() {
  diary_.write("load");
  if (isCacheBroken) throw std::runtime_error("it is broken");
  if (hasKept) checked_ = 1'000;
  isReady_ = hasKept;
}

void Remote::refresh(Operation &operation, const std::function<void()> &publishNow) {
  Answer answer;
  {
    const std::lock_guard lock(mutex_);
    began_.push_back(Clock::now());
    if (!answers_.empty()) {
      answer = std::move(answers_.front());
      answers_.erase(answers_.begin());
    }
  }
  diary_.write("look");
  const auto end = [this] {
    const std::lock_guard lock(mutex_);
    ended_.push_back(Clock::now());
  };
  isReady_ = isReady_ || isPartly || isEager;
  if (isEager) publishNow();
  try {
    if (answer) answer(operation);
  } catch (...) {
    end();
    throw;
  }
  isReady_ = true;
  checked_ = 2'000;
  end();
}

void Remote::publish() {
  diary_.write("publish");
  isServing_ = isServing_ || isReady_;
}

void Remote::tidy(const Checkpoint &checkpoint) {
  diary_.write("tidy");
  checkpoint();
}

} // namespace skillhost::remote::test
