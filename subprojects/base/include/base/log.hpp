// SPDX-License-Identifier: Apache-2.0
// The operator's log: lines on stderr, `[2025-12-26 16:30:45] [INFO] [server] text`, or JSON lines.
// Writers never wait for a reader. While nobody reads, 1 MiB of lines is kept; further lines are
// lost and counted (skillhost_log_lines_lost_total), and a later line reports them. May be used on
// any thread. Never pass a token or a secret, although texts registered with redact() are masked.
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

// Call it before the first thread starts. The default is INFO, text, file descriptor 2.
void start(LogLevel level, Format format);
// Masks every later occurrence of `secret` (4 bytes or longer) as ***masked***.
void redact(std::string secret);
// Returns the text with all registered secrets masked, for use outside the log.
std::string masked(std::string_view text);
bool enabled(LogLevel level) noexcept;
// The receivers of a line: the log and the listener, or only the log.
enum class Audience : std::uint8_t { All, Log };
// `part` is the component: server, mcp, plugin, source, search, config ... Never throws; a line
// that cannot be written is lost. `members` are members of a JSON object that repeat `text` for
// programs; only JSON lines contain them.
void write(LogLevel level, std::string_view part, std::string_view text,
           std::string_view members = {}, Audience audience = Audience::All) noexcept;
// Logs a refused request. Each address gets ten lines a minute, in all parts together; then one
// line reports how many more there were. If there are too many addresses, the rest count as one.
// `address`: see networkOf().
void refused(LogLevel level, std::string_view part, std::string_view address, std::string_view text,
             std::string_view members = {}) noexcept;
// Between hold() and release(), lines of all threads are collected. A transport calls them around a
// burst of requests, which then costs a single write to the log.
void hold() noexcept;
void release() noexcept;
// Call it at the end of the program: it waits for at most `span` until every line is written, and
// returns true if it is.
bool finish(std::chrono::milliseconds span) noexcept;
// Sets a listener for every line for All at or above INFO (for logging over the protocol); nullptr
// removes it.
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

// Logs an error with the message of an exception. For handlers of exceptions: it never throws, even
// without memory for the line.
void failure(std::string_view part, std::initializer_list<std::string_view> what,
             const std::exception &why) noexcept;

} // namespace skillhost::log
