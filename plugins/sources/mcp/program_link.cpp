// SPDX-License-Identifier: Apache-2.0
#include "program_link.hpp"

#include "ground/json.hpp"
#include "ground/json_member.hpp"
#include "notifications.hpp"
#include "remote/start_failure.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace skillhost::mcp_source {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t maxProgramWarnings = 20, maxErrorLines = 100; // the latter in a minute
// Twice this is less than the two seconds that the host has for its end.
constexpr std::chrono::milliseconds patienceWithProgram{600};
constexpr std::chrono::minutes minute{1};
constexpr std::chrono::milliseconds leastPatience{2'000}, mostPatience{15'000};

// Fails with TooLarge if the message would take many times its bytes in memory. A short one cannot.
Status requireFewValues(std::string_view line) {
  if (line.size() <= 2 * fewValues) return Done{};
  const Result<Json> message = parseJson(line, {maxMessageDepth, mostValuesIn(line.size())});
  if (message || message.failure().fault != Fault::InvalidRequest) return Done{};
  return {Fault::TooLarge, "a message of the server cannot be read: " + message.failure().message};
}

} // namespace

Result<std::unique_ptr<ProgramLink>> ProgramLink::open(skh::Host host, const Settings &settings,
                                                       remote::Operation &operation) {
  std::unique_ptr<ProgramLink> link(new ProgramLink(host, settings, operation));
  ServerProgram server;
  server.program.words = settings.command;
  // The program gets no secret of the host but those that the configuration names.
  server.program.environment = Program::Environment::WithoutSecrets;
  server.program.variables = settings.environment;
  ProgramLink &self = *link;
  server.warn = [&self](const std::string &words) { self.warn(words); };
  server.onErrorLine = [&self](std::string_view line) { self.logError(line); };
  server.onBytes = [&self](std::size_t bytes) { self.count(bytes); };
  server.untilTerm = server.untilKill = patienceWithProgram;
  Result<std::unique_ptr<ProgramChannel>> started = ProgramChannel::start(std::move(server), -1);
  if (!started) return {started.failure().fault, remote::whyNotStarted(started.failure().message)};
  link->channel_ = *std::move(started);
  return link;
}

ProgramLink::ProgramLink(skh::Host host, const Settings &settings, remote::Operation &operation)
    : host_(host), settings_(settings), operation_(&operation),
      allowance_(maxNotificationBytesPerMinute) {}

void ProgramLink::beginOperation(remote::Operation &operation) noexcept {
  operation_ = &operation;
  channel_->limitLines(maxMessageBytes);
}

void ProgramLink::endOperation() noexcept {
  operation_ = nullptr;
  channel_->limitLines(maxNotificationBytes);
}

std::chrono::milliseconds ProgramLink::patience() const {
  return std::clamp(settings_.deadline / 8, leastPatience, mostPatience);
}

void ProgramLink::warn(const std::string &words) {
  if (warnings_.size() < maxProgramWarnings) warnings_.push_back(words);
}

std::deque<std::string> ProgramLink::takeWarnings() { return std::exchange(warnings_, {}); }

bool ProgramLink::takeChange() noexcept { return std::exchange(hasChange_, false); }

Status ProgramLink::send(std::string_view message, Deadline deadline) {
  const Status sent = channel_->send(message, deadline);
  if (sent) return Done{};
  const Failure failure = explained(sent.failure());
  if (isGreeted_) throw remote::RemoteError(failure.message);
  return failure;
}

Result<std::string> ProgramLink::receive(Deadline deadline) {
  const Clock::time_point begun = Clock::now();
  for (;;) {
    operation_->checkpoint();
    if (deadline.passed())
      return {Fault::ToolTimeout, settings_.shownServer + " does not answer in time"};
    const auto slice = std::chrono::milliseconds(operation_->waitSliceMs());
    Result<std::string> line =
        channel_->receive(Deadline::at(std::min(deadline.at(), Clock::now() + slice)));
    if (line) {
      if (Status has = requireFewValues(*line); !has) return std::move(has).failure();
      note(*line);
      return line;
    }
    const Failure &failure = line.failure();
    if (failure.fault == Fault::TooLarge) return failure;
    if (failure.fault != Fault::ToolTimeout) {
      Failure reason = explained(failure);
      if (isGreeted_) throw remote::RemoteError(reason.message);
      return reason;
    }
    if (isGreeted_ && Clock::now() - begun > settings_.stallTimeout)
      throw remote::RemoteError(settings_.shownServer + " does not answer within " +
                                std::to_string(settings_.stallTimeout.count()) + " s");
  }
}

Result<std::string> ProgramLink::receiveIdle(int wake) {
  Result<std::string> line = channel_->receive(Deadline::never(), wake);
  if (line)
    note(*line);
  else if (line.failure().fault == Fault::Unavailable)
    return explained(line.failure());
  return line;
}

void ProgramLink::count(std::size_t bytes) {
  if (operation_ != nullptr) return operation_->receive(bytes);
  idleBytes_ += bytes;
  allowance_.take(idleBytes_, Clock::now());
}

// Nobody can stop a program from writing, so only so many lines of a minute go to the log.
void ProgramLink::logError(std::string_view line) {
  lastError_ = shownWords(line);
  const Clock::time_point now = Clock::now();
  if (now - minuteOfErrors_ >= minute) {
    if (errorLines_ > maxErrorLines)
      host_.log(SKH_INFO, settings_.shownServer + " wrote " +
                              std::to_string(errorLines_ - maxErrorLines) +
                              " further lines, which are left out");
    minuteOfErrors_ = now;
    errorLines_ = 0;
  }
  if (++errorLines_ <= maxErrorLines)
    host_.log(SKH_INFO, settings_.shownServer + " wrote: " + lastError_);
}

// A conversation ignores notifications, and the answer to our request for them. So they are noticed
// here.
void ProgramLink::note(const std::string &line) {
  if (line.size() > maxNotificationBytes || (line.find("notifications/") == std::string::npos &&
                                             line.find(listenId) == std::string::npos))
    return;
  const std::optional<Json> message = readJsonObject(line, maxNotificationDepth);
  if (!message) return;
  hasChange_ |= tellsOfChange(*message);
  if (message->contains("method") || memberOf(*message, "id") != listenId) return;
  const Json &error = memberOf(*message, "error");
  hasDeclined_ = error.is_object();
  whySilent_ = hasDeclined_ ? "the server does not tell of changes: " +
                                  shownWords(memberText(error, "message"))
                            : "the server has ended its notifications";
}

Failure ProgramLink::explained(const Failure &failure) const {
  return {failure.fault,
          failure.message + (lastError_.empty() || failure.fault != Fault::Unavailable
                                 ? ""
                                 : "; the last line that it wrote: " + lastError_)};
}

} // namespace skillhost::mcp_source
