// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include "base/log_export.hpp"
#include "base/log_members.hpp"
#include "base/refusal_limit.hpp"
#include "ground/counted.hpp"
#include "ground/guarded.hpp"
#include "ground/json.hpp"
#include "ground/json_text.hpp"
#include "ground/shown.hpp"

#include "log_output.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/sink.h>
#include <spdlog/spdlog.h>

#include <unistd.h>

#include <atomic>
#include <memory>
#include <vector>

namespace skillhost::log {
namespace {

// What is kept while nobody reads the log.
constexpr std::size_t mostWaiting = 1U << 20U;

class OutputSink final : public spdlog::sinks::sink {
public:
  explicit OutputSink(LogOutput &output) : output_(output) {}

  void log(const spdlog::details::log_msg &message) override {
    spdlog::memory_buf_t line;
    formatter_.with([&](auto &formatter) { formatter->format(message, line); });
    output_.append({line.data(), line.size()});
  }
  void flush() override { output_.flush(); }
  void set_pattern(const std::string &pattern) override {
    set_formatter(std::make_unique<spdlog::pattern_formatter>(pattern));
  }
  void set_formatter(std::unique_ptr<spdlog::formatter> formatter) override {
    formatter_.with([&](auto &current) { current = std::move(formatter); });
  }

private:
  LogOutput &output_;
  Guarded<std::unique_ptr<spdlog::formatter>> formatter_; // none is for several threads at once
};

std::shared_ptr<spdlog::logger> makeLogger(LogOutput &output) {
  auto logger = std::make_shared<spdlog::logger>("skillhost", std::make_shared<OutputSink>(output));
  logger->set_pattern("[%Y-%m-%d %H:%M:%S] %v");
  logger->set_level(spdlog::level::trace);
  return logger;
}

struct State {
  LogOutput output{STDERR_FILENO, mostWaiting, [](std::uint64_t lines) {
                     warning("log", counted(lines, "line") + " could not be written and are lost");
                   }};
  std::shared_ptr<spdlog::logger> logger = makeLogger(output);
  std::atomic<LogLevel> level{LogLevel::Info};
  std::atomic<Format> format{Format::Text};
  std::atomic<bool> held{false};
  Guarded<std::vector<std::string>> secrets;
  Guarded<std::shared_ptr<const Listener>> listener;
  std::atomic<bool> exports{false}; // there is an exporter
  Guarded<std::shared_ptr<const Exporter>> exporter;
};

// Never destroyed: threads of plugins may log until the very end.
State &state() {
  static State *const instance = new State;
  return *instance;
}

constexpr std::string_view names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};

// Never destroyed, as the state.
Refusals &refusals() {
  constexpr std::size_t linesOfOne = 10;
  static Refusals *const instance = new Refusals(
      linesOfOne, std::chrono::minutes(1), [](const std::string &address, std::size_t count) {
        warning("http", counted(count, "further request") + " from " + address +
                            (count == 1 ? " was refused" : " were refused"));
      });
  return *instance;
}

std::string jsonLine(LogLevel level, std::string_view part, std::string_view text,
                     std::string_view members) {
  std::string out = R"("level":")";
  out += names[static_cast<std::size_t>(level)];
  out += R"(","part":)";
  appendJsonString(out, part);
  out += R"(,"message":)";
  appendJsonString(out, text);
  if (!members.empty()) (out += ',') += members;
  out += '}';
  return out;
}

} // namespace

void start(LogLevel level, Format format) {
  state().level = level;
  state().format = format;
  state().logger->set_pattern(format == Format::Text ? "[%Y-%m-%d %H:%M:%S] %v"
                                                     : R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z",%v)");
}

void redact(std::string secret) {
  if (secret.size() < 4) return;
  state().secrets.with([&](auto &secrets) { secrets.push_back(std::move(secret)); });
}

std::string masked(std::string_view text) {
  std::string out(text);
  state().secrets.with([&](const std::vector<std::string> &secrets) {
    for (const std::string &secret : secrets)
      for (std::size_t at = 0; (at = out.find(secret, at)) != std::string::npos;)
        out.replace(at, secret.size(), "***masked***");
  });
  return out;
}

bool wantsMembers() noexcept { return state().format == Format::JsonLines || state().exports; }

bool isExported() noexcept { return state().exports; }

void exportTo(Exporter exporter) {
  auto shared = exporter ? std::make_shared<const Exporter>(std::move(exporter)) : nullptr;
  state().exports = shared != nullptr;
  state().exporter.with([&](auto &current) { current = std::move(shared); });
}

void appendMember(std::string &members, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  if (!members.empty()) members += ',';
  appendJsonString(members, name);
  members += ':';
  const std::string plain = masked(text);
  // What turns or hides text on a screen is escaped, so that a program still reads all of it.
  if (shownLine(plain) == plain)
    appendJsonString(members, plain);
  else
    members += Json(plain).dump(-1, ' ', true, Json::error_handler_t::replace);
}

bool enabled(LogLevel level) noexcept {
  return level >= state().level || (state().exports && level >= LogLevel::Info);
}

void write(LogLevel level, std::string_view part, std::string_view text, std::string_view members,
           Audience audience) noexcept try {
  State &s = state();
  if (!enabled(level)) return;
  const bool isLogged = level >= s.level;
  const std::string line = shownLine(masked(text)); // one event is one line, whatever it quotes;
  if (const auto exporter = s.exports ? s.exporter.copy() : nullptr)
    (*exporter)({level, part, line, members, isLogged});
  if (!isLogged) return;
  const auto loud = level >= LogLevel::Warning ? spdlog::level::warn : spdlog::level::info;
  if (s.format == Format::Text)
    s.logger->log(loud, "[{}] [{}] {}", names[static_cast<std::size_t>(level)], part, line);
  else
    s.logger->log(loud, "{}", jsonLine(level, part, line, members));
  if (!s.held) s.logger->flush();
  if (level < LogLevel::Info || audience == Audience::Log) return;
  const auto listener = s.listener.copy();
  if (listener) (*listener)(level, part, line);
} catch (...) {
  // A log line is never worth a crash.
}

void refused(LogLevel level, std::string_view part, std::string_view address, std::string_view text,
             std::string_view members) noexcept try {
  if (refusals().worthALine(address)) write(level, part, text, members);
} catch (...) {
  // A log line is never worth a crash.
}

void failure(std::string_view part, std::initializer_list<std::string_view> what,
             const std::exception &why) noexcept try {
  std::string text;
  for (const std::string_view words : what) text += words;
  error(part, text + ": " + why.what());
} catch (...) {
  // A log line is never worth a crash.
}

void hold() noexcept { state().held = true; }

void release() noexcept try {
  state().held = false;
  state().logger->flush();
} catch (...) {
  // A log line is never worth a crash.
}

bool finish(std::chrono::milliseconds span) noexcept try {
  refusals().tellCounts();
  state().logger->flush();
  return state().output.finish(span);
} catch (...) {
  return false;
}

void listen(Listener listener) {
  auto shared = listener ? std::make_shared<const Listener>(std::move(listener)) : nullptr;
  state().listener.with([&](auto &current) { current = std::move(shared); });
}

} // namespace skillhost::log
