// SPDX-License-Identifier: Apache-2.0
#include "program_upstream.hpp"

#include "ground/back_off.hpp"
#include "ground/json.hpp"
#include "http_client/signal_guard.hpp"
#include "notifications.hpp"
#include "remote/schedule.hpp"

#include <sys/eventfd.h>

#include <optional>
#include <utility>

namespace skillhost::mcp_source {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds lastingRun{60}; // a program that runs so long is started again soon
constexpr std::chrono::milliseconds ownAnswerTime{5'000}; // for the program's own requests

} // namespace

struct ProgramUpstream::Running {
  GreetedServer server;
  ProgramLink &link; // of the conversation
  Clock::time_point begun = Clock::now();
  bool tells = false; // of changes
};

// Lends the program to a refresh.
class ProgramUpstream::Loan final : public Connection {
public:
  Loan(ProgramUpstream &owner, Running &running) : owner_(owner), running_(running) {}
  ~Loan() override {
    owner_.isSilent_ |= running_.link.hasDeclined();
    owner_.giveBack(isUsable_ && running_.tells && running_.link.whySilent().empty());
  }
  Loan(const Loan &) = delete;
  Loan &operator=(const Loan &) = delete;

  GreetedServer &server() noexcept override { return running_.server; }
  SourceChannel &channel() noexcept override { return running_.link; }
  void succeed() noexcept override { isUsable_ = true; }

private:
  ProgramUpstream &owner_;
  Running &running_;
  bool isUsable_ = false;
};

ProgramUpstream::ProgramUpstream(skh::Host host, const Settings &settings)
    : host_(host), settings_(settings), version_(host.version()),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!wake_) throw skh::Error(SKH_UNAVAILABLE, "eventfd: no descriptor left");
}

ProgramUpstream::~ProgramUpstream() = default;

void ProgramUpstream::wake() noexcept { ::eventfd_write(wake_.number(), 1); }

std::unique_ptr<Connection> ProgramUpstream::connect(remote::Operation &operation) {
  takeForRefresh(operation);
  try {
    if (running_) {
      running_->link.beginOperation(operation);
      running_->server.conversation.resetLimits();
    } else {
      std::unique_ptr<Running> started = start(operation);
      const std::lock_guard lock(mutex_);
      running_ = std::move(started);
    }
    return std::make_unique<Loan>(*this, *running_);
  } catch (...) {
    giveBack(false);
    throw;
  }
}

void ProgramUpstream::takeForRefresh(remote::Operation &operation) {
  std::unique_lock lock(mutex_);
  isWanted_ = true;
  wake();
  try {
    while (user_ == User::Listener) {
      operation.checkpoint();
      changed_.wait_for(lock, std::chrono::milliseconds(operation.waitSliceMs()));
    }
  } catch (...) {
    isWanted_ = false;
    changed_.notify_all();
    throw;
  }
  isWanted_ = false;
  user_ = User::Refresh;
}

std::unique_ptr<ProgramUpstream::Running> ProgramUpstream::start(remote::Operation &operation) {
  ProgramLink *link = nullptr;
  const OpenServer open = [&]() -> Result<std::unique_ptr<ServerChannel>> {
    Result<std::unique_ptr<ProgramLink>> opened = ProgramLink::open(host_, settings_, operation);
    if (!opened) return std::move(opened).failure();
    link = opened->get();
    return {*std::move(opened)};
  };
  Result<GreetedServer> greeted = greet(open, Deadline::never(), version_);
  if (!greeted) throw remote::RemoteError(greeted.failure().message);
  link->endGreeting();
  auto running = std::make_unique<Running>(*std::move(greeted), *link);
  running->tells =
      settings_.subscribes && !isSilent_ && offersNotifications(running->server.capabilities);
  if (running->tells && running->server.params.contains("_meta"))
    static_cast<void>(link->send(listenRequest(running->server.params).dump(), Deadline::never()));
  return running;
}

void ProgramUpstream::giveBack(bool isUsable) noexcept {
  std::unique_ptr<Running> ended;
  {
    const std::lock_guard lock(mutex_);
    if (!isUsable) ended = std::move(running_);
    if (running_) running_->link.endOperation();
  }
  ended.reset(); // takes more than a second if the program does not end by itself
  const std::lock_guard lock(mutex_);
  user_ = User::Nobody;
  changed_.notify_all();
}

void ProgramUpstream::listen(const std::stop_token &stop, const std::function<void()> &changed) {
  const web::SignalGuard guard; // the program may close its input
  BackOff pauses{remote::failures};
  while (takeForListener(stop)) {
    const Pause pause = listenOnce(changed);
    if (pause.why.empty()) {
      const std::lock_guard lock(mutex_);
      user_ = User::Nobody;
      changed_.notify_all();
      continue;
    }
    const bool hasLasted = Clock::now() - running_->begun >= lastingRun;
    giveBack(false);
    if (pause.isSilent) {
      host_.log(SKH_DEBUG, settings_.shownServer + ": " + pause.why);
      continue;
    }
    if (hasLasted) pauses.reset();
    const std::chrono::seconds rest = remote::nextPause(pauses, std::nullopt);
    host_.log(SKH_WARN, settings_.shownServer + ": " + pause.why + "; it is started again in " +
                            remote::spanText(rest));
    if (awaitRestart(stop, rest)) changed();
  }
}

// Returns false if we have to stop.
bool ProgramUpstream::takeForListener(const std::stop_token &stop) {
  std::unique_lock lock(mutex_);
  const bool isFree =
      changed_.wait(lock, stop, [&] { return running_ && user_ == User::Nobody && !isWanted_; });
  // An earlier request to wake up is over: that refresh has come and gone. This comes before the
  // look at `stop`, so that the request to stop is not lost.
  eventfd_t times = 0;
  ::eventfd_read(wake_.number(), &times);
  if (!isFree || stop.stop_requested()) return false;
  user_ = User::Listener;
  return true;
}

ProgramUpstream::Pause ProgramUpstream::listenOnce(const std::function<void()> &changed) {
  ProgramLink &link = running_->link;
  try {
    for (;;) {
      if (link.takeChange()) changed();
      const Result<std::string> line = link.receiveIdle(wake_.number());
      if (!line && line.failure().fault == Fault::Cancelled) return {};
      if (!line && line.failure().fault == Fault::TooLarge) continue; // it is skipped
      if (!line) return {line.failure().message};
      if (!link.whySilent().empty()) {
        isSilent_ |= link.hasDeclined();
        return {link.whySilent(), link.hasDeclined()};
      }
      const std::optional<Json> message = readJsonObject(*line, maxNotificationDepth);
      if (message && message->contains("method") && message->contains("id")) {
        const Status answered =
            running_->server.conversation.answer(*message, Deadline::after(ownAnswerTime));
        if (!answered) return {answered.failure().message};
      }
    }
  } catch (const std::exception &error) {
    return {error.what()};
  }
}

// Returns true if the program still does not run after the pause.
bool ProgramUpstream::awaitRestart(const std::stop_token &stop, std::chrono::seconds pause) {
  std::unique_lock lock(mutex_);
  const bool isRunning = changed_.wait_for(lock, stop, pause, [&] { return bool(running_); });
  return !isRunning && !stop.stop_requested();
}

ProgramListener::ProgramListener(ProgramUpstream &upstream, std::function<void()> changed)
    : upstream_(upstream), notify_(std::move(changed)),
      thread_([this](const std::stop_token &stop) { upstream_.listen(stop, notify_); }) {}

ProgramListener::~ProgramListener() {
  thread_.request_stop();
  upstream_.wake();
  thread_.join();
}

} // namespace skillhost::mcp_source
