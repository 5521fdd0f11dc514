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
#include "ground/text.hpp"

#include "log_output.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <map>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace skillhost::log {
namespace {

// The log keeps at most this many bytes while nobody reads it.
constexpr std::size_t maxWaiting = 1U << 20U;

// A second in local time, formatted once for all of its lines.
struct WrittenSecond {
  std::time_t second = -1;
  std::string text, // "2025-12-26 16:30:45"
      zone;         // "+01:00"
};

struct OneExporter {
  explicit OneExporter(Exporter made) : exporter(std::move(made)) {}
  const Exporter exporter;
  std::atomic<bool> isEnded{false};
};
using Exporters = std::map<const void *, std::shared_ptr<OneExporter>>;

struct State {
  LogOutput output{STDERR_FILENO, maxWaiting, [](std::uint64_t lines) {
                     warning("log", counted(lines, "line") + " could not be written and are lost");
                   }};
  std::atomic<LogLevel> level{LogLevel::Info};
  std::atomic<Format> format{Format::Text};
  std::atomic<bool> held{false};
  Guarded<WrittenSecond> now;
  Guarded<std::vector<std::string>> secrets;
  Guarded<std::shared_ptr<const Listener>> listener;
  std::atomic<bool> exports{false}; // true if there is an exporter
  Guarded<std::shared_ptr<const Exporters>> exporters;
};

// Never destroyed, because threads of plugins may log until the very end.
State &state() {
  static State *const instance = new State;
  return *instance;
}

constexpr std::string_view names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};

// Never destroyed, like the state.
Refusals &refusals() {
  constexpr std::size_t linesOfOne = 10;
  static Refusals *const instance = new Refusals(
      linesOfOne, std::chrono::minutes(1), [](const std::string &address, std::size_t count) {
        warning("http", counted(count, "further request") + " from " + address +
                            (count == 1 ? " was refused" : " were refused"));
      });
  return *instance;
}

void writeSecond(WrittenSecond &now, std::time_t second) {
  std::tm local{};
  ::localtime_r(&second, &local);
  std::array<char, 64> text{}, zone{};
  now.text.assign(text.data(),
                  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local));
  now.zone.assign(zone.data(), std::strftime(zone.data(), zone.size(), "%z", &local));
  if (now.zone.size() > 2) now.zone.insert(now.zone.size() - 2, 1, ':');
  now.second = second;
}

// Returns the beginning of a line: "[2025-12-26 16:30:45] ", or the first member of an object.
std::string lineStart(Format format) {
  using namespace std::chrono;
  const auto sinceEpoch = duration_cast<milliseconds>(system_clock::now().time_since_epoch());
  const auto second = static_cast<std::time_t>(duration_cast<seconds>(sinceEpoch).count());
  constexpr std::size_t usual = 256; // bytes of a usual line
  std::string line;
  line.reserve(usual);
  state().now.with([&](WrittenSecond &now) {
    if (now.second != second) writeSecond(now, second);
    if (format == Format::Text) {
      line.append("[").append(now.text).append("] ");
      return;
    }
    const std::size_t time = now.text.find(' ');
    line.append(R"({"time":")").append(now.text, 0, time).append("T");
    line.append(now.text, time + 1).append(".");
    line.append(std::to_string(1'000 + sinceEpoch.count() % 1'000), 1).append(now.zone);
    line += R"(",)";
  });
  return line;
}

std::string textLine(LogLevel level, std::string_view part, std::string_view text) {
  std::string out = lineStart(Format::Text);
  appendPieces(out, {"[", names[static_cast<std::size_t>(level)], "] [", part, "] ", text, "\n"});
  return out;
}

std::string jsonLine(LogLevel level, std::string_view part, std::string_view text,
                     std::string_view members) {
  std::string out = lineStart(Format::JsonLines);
  out += R"("level":")";
  out += names[static_cast<std::size_t>(level)];
  out += R"(","part":)";
  appendJsonString(out, part);
  out += R"(,"message":)";
  appendJsonString(out, text);
  if (!members.empty()) (out += ',') += members;
  out += "}\n";
  return out;
}

thread_local std::string_view originOfLines;

// An exporter that fails keeps the line neither from the others nor from the log.
void exportLine(const Exporter &exporter, const ExportedLine &line) noexcept try {
  exporter(line);
} catch (...) {
  // A failure to log must not end the process.
}

// Needs no memory, because it is called by destructors.
void endExport(const void *whose) noexcept {
  state().exporters.with([&](auto &current) {
    if (!current) return;
    const auto found = current->find(whose);
    if (found == current->end()) return;
    if (current->size() == 1) {
      current.reset();
      state().exports = false;
      return;
    }
    try {
      auto others = std::make_shared<Exporters>(*current);
      others->erase(whose);
      current = std::move(others);
    } catch (const std::bad_alloc &) {
      found->second->isEnded = true; // it stays in the list and receives nothing
    }
  });
}

} // namespace

void start(LogLevel level, Format format) {
  state().level = level;
  state().format = format;
}

void redact(std::string secret) {
  if (secret.size() < 4) return;
  state().secrets.with([&](auto &secrets) {
    if (std::find(secrets.begin(), secrets.end(), secret) == secrets.end())
      secrets.push_back(std::move(secret));
  });
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

void exportTo(const void *whose, Exporter exporter) {
  if (!exporter) return endExport(whose);
  state().exporters.with([&](auto &current) {
    auto all = std::make_shared<Exporters>(current ? *current : Exporters());
    (*all)[whose] = std::make_shared<OneExporter>(std::move(exporter));
    state().exports = true;
    current = std::move(all);
  });
}

void appendMember(std::string &members, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  if (!members.empty()) members += ',';
  appendJsonString(members, name);
  members += ':';
  const std::string plain = masked(text);
  // Escape characters that turn or hide text on a screen, so that a program still reads all of it.
  if (shownLine(plain) == plain)
    appendJsonString(members, plain);
  else
    members += Json(plain).dump(-1, ' ', true, Json::error_handler_t::replace);
}

bool enabled(LogLevel level) noexcept {
  return level >= state().level || (state().exports && level >= LogLevel::Info);
}

LineOrigin::LineOrigin(std::string_view instance) noexcept
    : before_(std::exchange(originOfLines, instance)) {}

LineOrigin::~LineOrigin() { originOfLines = before_; }

void write(LogLevel level, std::string_view part, std::string_view text, std::string_view members,
           Audience audience) noexcept try {
  State &s = state();
  if (!enabled(level)) return;
  const bool isLogged = level >= s.level;
  // An event is one line, even if it quotes several.
  const std::string line = shownLine(masked(text));
  if (const auto all = s.exports ? s.exporters.copy() : nullptr)
    for (const auto &[whose, one] : *all)
      if (!one->isEnded)
        exportLine(one->exporter, {level, part, line, members, originOfLines, isLogged});
  if (!isLogged) return;
  s.output.append(s.format == Format::Text ? textLine(level, part, line)
                                           : jsonLine(level, part, line, members));
  if (!s.held) s.output.flush();
  if (level < LogLevel::Info || audience == Audience::Log) return;
  const auto listener = s.listener.copy();
  if (listener) (*listener)(level, part, line);
} catch (...) {
  // A failure to log must not end the process.
}

void refused(LogLevel level, std::string_view part, std::string_view address, std::string_view text,
             std::string_view members) noexcept try {
  if (refusals().getsOwnLine(address)) write(level, part, text, members);
} catch (...) {
  // A failure to log must not end the process.
}

void failure(std::string_view part, std::initializer_list<std::string_view> what,
             const std::exception &why) noexcept try {
  std::string text;
  for (const std::string_view words : what) text += words;
  error(part, text + ": " + why.what());
} catch (...) {
  // A failure to log must not end the process.
}

void hold() noexcept { state().held = true; }

void release() noexcept try {
  state().held = false;
  state().output.flush();
} catch (...) {
  // A failure to log must not end the process.
}

bool finish(std::chrono::milliseconds span) noexcept try {
  refusals().reportCounts();
  return state().output.finish(span);
} catch (...) {
  return false;
}

void listen(Listener listener) {
  auto shared = listener ? std::make_shared<const Listener>(std::move(listener)) : nullptr;
  state().listener.with([&](auto &current) { current = std::move(shared); });
}

} // namespace skillhost::log
