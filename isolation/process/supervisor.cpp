// SPDX-License-Identifier: Apache-2.0
#include "process/supervisor.hpp"

#include "base/rate_budget.hpp"
#include "process/messages.hpp"
#include "process/role_process.hpp"
#include "process/text.hpp"

#include "base/log.hpp"
#include "ground/counted.hpp"
#include "plugin_calls/plugin_log.hpp"

#include <skillhost/health.h>
#include <skillhost/pin.h>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <system_error>

namespace skillhost::process {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int framesInRound = 256; // frames read before the clock is checked again
// Limits of log lines, metrics and hints from one process.
constexpr double framesInSecond = 5'000, framesAtOnce = 10'000;
constexpr milliseconds pauseOfTalker{20};
constexpr std::chrono::seconds healthyTime{10}; // a runner that lives as long is no crash loop
constexpr milliseconds startPatience{1'000}; // longest time that a call waits for a delayed start
constexpr milliseconds createLimit{30'000};  // used if the caller sets no limit
constexpr milliseconds farewell{1'000};      // time for destroy()
constexpr milliseconds callSlice{10};        // interval between checks of a call's cancelled()

// Timeout for poll(2), rounded up; -1: no timeout.
int millisecondsTo(Moment moment, Moment now) {
  if (moment == Moment::max()) return -1;
  const auto left = std::chrono::ceil<milliseconds>(moment - now).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

bool forGood(skh_status status) noexcept { return status == SKH_INVALID; }

} // namespace

Supervisor::Supervisor(std::string program, std::shared_ptr<const PluginCopy> copy, Start start,
                       const skh_host &host, std::shared_ptr<network::ForwarderAccess> access)
    : program_(std::move(program)), copy_(std::move(copy)), start_(std::move(start)), host_(host),
      access_(std::move(access)) {
  std::tie(wake_, woken_) = socketPair();
}

Supervisor::~Supervisor() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  wake_.reset();
  thread_.join();
}

skh_status Supervisor::begin(const skh_call *call) {
  createBy_ = Clock::now() + createLimit;
  if (call->deadline_ns != INT64_MAX)
    createBy_ = std::min(createBy_, Moment(std::chrono::nanoseconds(call->deadline_ns)));
  thread_ = std::thread([this] { run(); });
  std::unique_lock lock(mutex_);
  while (state_ == State::Starting) {
    changed_.wait_for(lock, callSlice);
    if (state_ != State::Starting || call->cancelled(call) == 0) continue;
    if (session_) session_->kill("its start was cancelled");
    changed_.wait(lock, [this] { return state_ != State::Starting; });
  }
  if (hasRun_) return SKH_OK;
  reportFailure(call, why_);
  return refusal_;
}

skh_status Supervisor::acquire(const skh_call *call, std::shared_ptr<Session> &out) {
  std::unique_lock lock(mutex_);
  for (;;) {
    const Moment now = Clock::now();
    if (state_ == State::Running && !session_->hasEnded()) {
      out = session_;
      return SKH_OK;
    }
    if (state_ == State::Ended || (state_ == State::BackingOff && next_ - now > startPatience)) {
      const auto seconds = std::chrono::ceil<std::chrono::seconds>(next_ - now).count();
      reportFailure(call, why_ + (state_ == State::Ended ? std::string()
                                                         : "; the next start is in " +
                                                               std::to_string(seconds) + " s"));
      return SKH_UNAVAILABLE;
    }
    if (call->deadline_ns <= now.time_since_epoch().count()) {
      reportFailure(call,
                    "its process did not start in time" + (why_.empty() ? why_ : ": " + why_));
      return SKH_DEADLINE;
    }
    if (call->cancelled(call) != 0) return SKH_CANCELLED;
    changed_.wait_until(lock, std::min(now + callSlice, momentOf(call->deadline_ns)));
  }
}

void Supervisor::setState(State state) {
  {
    const std::scoped_lock lock(mutex_);
    state_ = state;
  }
  changed_.notify_all();
}

// Main function of the thread. It starts all runners, because the kernel ends a runner if the
// thread that started it ends.
void Supervisor::run() {
  do {
    hasCreatedInstance_ = hasReportedConfinement_ = hasAnswered_ = false;
    started_ = Clock::now();
    FrameSocket control(Descriptor{}, maxAnswerFrameBytes);
    if (startRunner(control)) {
      pollLoop(control);
      reap();
    }
  } while (backOff());
  setState(State::Ended);
}

bool Supervisor::startRunner(FrameSocket &control) try {
  if (const std::string why = quotaProblem(start_); !why.empty()) {
    const std::scoped_lock lock(mutex_);
    refusal_ = SKH_UNAVAILABLE;
    why_ = why;
    return false;
  }
  Descriptor output;
  watch_ = std::make_unique<Watch>(start_, output);
  auto [ours, theirs] = socketPair();
  std::vector<FrameSocket> channels;
  std::vector<Descriptor> kept;
  std::vector<int> inherited{theirs.number()};
  for (std::uint32_t i = 0; i < start_.channels; ++i) {
    auto [mine, its] = socketPair();
    channels.emplace_back(std::move(mine), maxAnswerFrameBytes);
    inherited.push_back(its.number());
    kept.push_back(std::move(its));
  }
  if (start_.copied) inherited.push_back(copy_->descriptor());
  if (start_.suppliesSockets) {
    kept.push_back(access_->supply());
    inherited.push_back(kept.back().number());
  }
  Result<ChildProcess> child = startRole(program_, {"plugin-runner", std::to_string(::getpid())},
                                         output.number(), inherited);
  if (!child) {
    const std::scoped_lock lock(mutex_);
    refusal_ = SKH_UNAVAILABLE;
    why_ = child.failure().message;
    return false;
  }
  control = FrameSocket(std::move(ours), maxAnswerFrameBytes);
  auto session = std::make_shared<Session>(++count_, *std::move(child), std::move(channels));
  {
    const std::scoped_lock lock(mutex_);
    session_ = std::move(session);
  }
  if (hasRun_) createBy_ = Clock::now() + createLimit;
  Start start = start_;
  // With a cgroup, the memory in use is limited and not the address space.
  if (moveIntoCgroup()) start.memoryBytes = 0;
  start.deadlineNs = createBy_.time_since_epoch().count();
  Packer packer;
  start.pack(packer);
  control.send(packer, createBy_); // if the runner has already ended, pollLoop() notices it
  return true;
} catch (const std::exception &why) {
  const std::scoped_lock lock(mutex_);
  refusal_ = SKH_UNAVAILABLE;
  why_ = std::string("its process cannot be started: ") + why.what();
  return false;
}

// Runs until the runner has ended.
void Supervisor::pollLoop(FrameSocket &control) {
  Moment until = createBy_;
  bool leaving = false, speaks = true, more = false; // more: frames were left for the next round
  RateBudget frameRate(framesInSecond, framesAtOnce);
  while (speaks) {
    const Moment now = Clock::now();
    Watch::PollSet watchEvents = watch_->pollSet(now);
    // A plugin that sends too much blocks until the host reads again.
    const bool listens = frameRate.allows(now);
    std::array<pollfd, 5> watched{{{listens ? control.number() : -1, POLLIN, 0},
                                   {session_->child().ended(), POLLIN, 0},
                                   {leaving ? -1 : woken_.number(), POLLIN, 0},
                                   watchEvents[0],
                                   watchEvents[1]}};
    const bool bounded = leaving || !hasCreatedInstance_;
    Moment wake = bounded ? std::min(until, watch_->next(now)) : watch_->next(now);
    if (!listens) wake = std::min(wake, now + pauseOfTalker);
    ::poll(watched.data(), watched.size(), more && listens ? 0 : millisecondsTo(wake, now));
    watchEvents = {watched[3], watched[4]};
    if (const std::string why = watch_->handleEvents(session_->child().number(), watchEvents);
        !why.empty())
      session_->kill(why);
    // Compares with the clock, because a plugin that talks without pause may be late as well.
    if (bounded && Clock::now() >= until)
      session_->kill(leaving ? "it did not exit by itself" : "it was not created in time");
    if (watched[2].revents != 0) {
      leaving = true;
      until = Clock::now() + farewell;
      control.endSending();
    }
    if (!(more && listens) && watched[0].revents == 0 && watched[1].revents == 0) continue;
    if (!watch_->readGreeting(control.number())) continue;
    std::string_view frame;
    FrameSocket::Got got = control.receive(Moment{}, frame);
    for (int round = 1; got == FrameSocket::Got::Frame; ++round) {
      frameRate.spend();
      if (!handleFrame(control, frame)) session_->kill("it sent a malformed frame");
      if (round == framesInRound) break;
      got = control.receive(Moment{}, frame);
    }
    if (got == FrameSocket::Got::TooLong) session_->kill("it sent a frame that is too long");
    more = got == FrameSocket::Got::Frame;
    speaks = more || (got == FrameSocket::Got::Nothing && watched[1].revents == 0);
  }
  // The runner has closed its control socket, so it has nothing left to do. It only gets time to
  // end if it was asked to leave.
  if (leaving) session_->child().endsWithin(std::chrono::ceil<milliseconds>(until - Clock::now()));
  session_->child().kill();
}

bool Supervisor::handleFrame(FrameSocket &control, std::string_view frame) {
  Unpacker from(frame);
  // Only the first frame is trustworthy, because later the plugin can write to the socket, too.
  if (!std::exchange(hasReportedConfinement_, true))
    return static_cast<Record>(from.u8()) == Record::Confined && handleConfined(control, from);
  while (from.hasMore()) switch (static_cast<Record>(from.u8())) {
    case Record::Log: {
      const std::int32_t level = from.i32();
      host_.log(&host_, level, toSkhStr(from.text()));
      break;
    }
    case Record::LinesLost: {
      const LogLevel level = levelOf(from.i32());
      const std::uint64_t lines = from.u64();
      if (from.good() && skillhost::log::enabled(level))
        log(LogLevel::Warning, counted(lines, "line") + " dropped: it logs too much");
      break;
    }
    case Record::Metric: {
      const std::int32_t kind = from.i32();
      const std::string_view name = from.text();
      const double value = from.number();
      if (from.good()) host_.metric(&host_, kind, toSkhStr(name), value);
      break;
    }
    case Record::Changed:
      host_.changed(&host_);
      break;
    case Record::Health: {
      const std::int32_t state = from.i32();
      const std::string_view why = from.text();
      if (from.good()) reportHealth(state, why);
      break;
    }
    case Record::Ready: {
      // The plugin has asked for them in the runner, so the proxy asks the host for them.
      const std::uint8_t asked = from.u8();
      if ((asked & askedForPin) != 0) host_.extension(&host_, SKH_PIN);
      if ((asked & askedForUpstream) != 0)
        upstream_ = static_cast<const skh_upstream *>(host_.extension(&host_, SKH_UPSTREAM));
      markRunning();
      break;
    }
    case Record::Refused: {
      const std::scoped_lock lock(mutex_);
      const skh_status status = from.i32();
      refusal_ = status < 0 ? status : SKH_FAILED;
      why_ = std::string(from.text());
      break;
    }
    default:
      return false;
    }
  return from.good();
}

bool Supervisor::handleConfined(FrameSocket &control, Unpacker &from) {
  bool complete = from.u8() != 0;
  const bool refused = from.u8() != 0;
  std::string text(from.text());
  if (!from.good() || from.hasMore()) return false;
  if (refused) return true; // the reason follows in Record::Refused
  const Watch::Verdict verdict = watch_->checkConfinement(session_->child().number(), complete);
  if (!verdict.refusal.empty()) {
    session_->kill(verdict.refusal);
    return true;
  }
  if (!verdict.verified && !session_->child().endsWithin(milliseconds(0))) {
    complete = false;
    text += ", not verified: /proc of the process cannot be read";
  }
  if (cgroup_)
    text += ", " + cgroup_->text();
  else if (start_.memoryBytes != 0)
    text += ", " + std::to_string(start_.memoryBytes >> 20U) + " MB of address space";
  if (watch_->countsThreads() || start_.suppliesSockets || cgroup_)
    text += ", at most " + std::to_string(maxThreads) + " threads";
  const bool news =
      confinement_.with([&](std::string &known) { return std::exchange(known, text) != text; });
  if (news)
    log(complete ? LogLevel::Debug : LogLevel::Warning, "its process is confined by " + text);
  Packer go;
  control.send(go, createBy_); // if the runner has already ended, pollLoop() notices it
  return true;
}

bool Supervisor::moveIntoCgroup() {
  if (!cgroups_) {
    Result<std::shared_ptr<CgroupTree>> tree = CgroupTree::ofThisProcess();
    if (!tree) return false;
    cgroups_ = *std::move(tree);
  }
  Result<std::unique_ptr<Cgroup>> made = cgroups_->make({start_.memoryBytes, maxThreads});
  if (made && (*made)->take(session_->child().number())) {
    cgroup_ = *std::move(made);
    return true;
  }
  log(LogLevel::Warning,
      "its process has no cgroup, its address space is limited: " +
          (made ? std::generic_category().message(errno) : made.failure().message));
  return false;
}

// Logs a message of the host itself, not under the plugin's name.
void Supervisor::log(LogLevel level, const std::string &text) const {
  skillhost::log::write(level, "plugin", start_.instance + ": " + text);
}

std::string Supervisor::absence() {
  const std::scoped_lock lock(mutex_);
  return state_ == State::BackingOff || state_ == State::Ended ? why_ : std::string();
}

void Supervisor::reportHealth(std::int32_t state, std::string_view why) const {
  // Only hosts in tests lack this extension.
  if (const auto *health = static_cast<const skh_health *>(host_.extension(&host_, SKH_HEALTH)))
    health->tell(health, state, toSkhStr(why));
}

void Supervisor::markRunning() {
  if (std::exchange(hasCreatedInstance_, true)) return;
  const bool first = !hasRun_;
  if (!first) log(LogLevel::Info, "its process was started again");
  {
    const std::scoped_lock lock(mutex_);
    hasRun_ = true;
    why_.clear();
  }
  setState(State::Running);
  // The new runner may serve other content than the previous one.
  if (!first) host_.changed(&host_);
}

void Supervisor::reap() {
  session_->end();
  const int status = session_->child().reap();
  reportHealth(SKH_HEALTHY, {}); // the next runner reports its own health
  watch_->finish();              // its last output must precede the message about its end
  const std::string number = std::to_string(session_->child().number());
  std::string text = "its process (" + number + ") " + howItEnded(status);
  std::string why = session_->reason();
  if (why.empty() && cgroup_) why = cgroup_->whyEnded();
  if (!why.empty()) text += ": " + why;
  cgroup_.reset();
  const std::scoped_lock lock(mutex_);
  if (!ending_ && (hasCreatedInstance_ || refusal_ == SKH_OK)) log(LogLevel::Warning, text);
  if (hasCreatedInstance_ || refusal_ == SKH_OK) why_ = text;
  hasAnswered_ = hasCreatedInstance_ && session_->answered;
  if (hasAnswered_) delays_.reset();
  if (Clock::now() - started_ > healthyTime) shortDelays_.reset();
  if (!hasCreatedInstance_ && refusal_ == SKH_OK) refusal_ = SKH_FAILED;
  session_.reset();
  state_ = State::Starting; // not Running, which requires a session
}

// Returns false if no other runner will be started.
bool Supervisor::backOff() {
  std::unique_lock lock(mutex_);
  if (!hasRun_ || ending_) return false;
  if (forGood(std::exchange(refusal_, SKH_OK)) && !hasCreatedInstance_) return false;
  next_ = Clock::now() + (hasAnswered_ ? shortDelays_ : delays_).next();
  state_ = State::BackingOff;
  changed_.notify_all();
  changed_.wait_until(lock, next_, [this] { return ending_; });
  state_ = State::Starting;
  return !ending_;
}

} // namespace skillhost::process
