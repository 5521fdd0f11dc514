// SPDX-License-Identifier: Apache-2.0
// The operator's log: lines on stderr, `[2025-12-26 16:30:45] [INFO] [server] text`, or JSON lines.
// Nobody waits for who reads it: while it is not read, 1 MiB of lines is kept, and what is beyond
// is lost, counted (skillhost_log_lines_lost_total) and told of when it is read again. Any thread.
// Never pass a token or a secret: what is registered with redact() is masked anyway.
#pragma once

#include "base/fault.hpp"

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace skillhost::log {

enum class Format : std::uint8_t { Text, JsonLines };

// Before the first thread starts. Without it: INFO, text, file descriptor 2.
void start(LogLevel level, Format format);
// Masks every later occurrence of `secret` (4 bytes or longer) as ***masked***.
void redact(std::string secret);
// A text with all that was registered masked: for what is said outside the log.
std::string masked(std::string_view text);
bool enabled(LogLevel level) noexcept;
// For whom a line is: who reads the log, and whom listen() tells; or the first alone.
enum class Audience : std::uint8_t { All, Log };
// `part` is who speaks: server, mcp, plugin, source, search, config ... Never throws; a line that
// cannot be written is lost.
// `members` are members of a JSON object, for JSON lines alone: what `text` says, for programs.
void write(LogLevel level, std::string_view part, std::string_view text,
           std::string_view members = {}, Audience audience = Audience::All) noexcept;
// A line about a request that is refused: ten a minute of one address are written, of all parts
// together, then it is told how many more there were. Of too many addresses the rest counts as one.
// `address`: see networkOf().
void refused(LogLevel level, std::string_view part, std::string_view address, std::string_view text,
             std::string_view members = {}) noexcept;
// Between the two lines are gathered, of all threads: a transport calls them around a burst of
// requests, so that these cost one write to the log and not one each.
void hold() noexcept;
void release() noexcept;
// At the end of the program: waits until every line is written, at most so long; true when it is.
bool finish(std::chrono::milliseconds span) noexcept;
// Hears every line for all at or above INFO too (for logging over the protocol); nullptr to stop.
using Listener = std::function<void(LogLevel, std::string_view part, std::string_view text)>;
void listen(Listener listener);

inline void debug(std::string_view part, std::string_view text) noexcept {
  write(LogLevel::Debug, part, text);
}
inline void info(std::string_view part, std::string_view text) noexcept {
  write(LogLevel::Info, part, text);
}
inline void warning(std::string_view part, std::string_view text) noexcept {
  write(LogLevel::Warning, part, text);
}
inline void error(std::string_view part, std::string_view text) noexcept {
  write(LogLevel::Error, part, text);
}

// Writes an error that says what was thrown. For handlers of exceptions: it never throws, also when
// there is no memory for the line.
void failure(std::string_view part, std::initializer_list<std::string_view> what,
             const std::exception &why) noexcept;

} // namespace skillhost::log
