// SPDX-License-Identifier: Apache-2.0
// Audit: who was refused, who used what manages the server, when it started and stopped. Lines of
// the log (part "audit") and, if wanted, of a file. Never holds a credential.
#pragma once

#include "access/principal.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

struct AuditEvent {
  // refused, ended, managed, reviewed, started, reconfigured, stopped, name taken
  std::string_view what;
  int status = 0;             // of a refusal: 401, 403, 503, 400; 0: none
  std::string_view reason{};  // of a refusal, in a few words; of a name, by whom
  std::string_view method{};  // of the protocol; empty: none
  std::string_view subject{}; // the tool, URI or file; empty: none
  std::string_view peer{};
  const Principal *principal = nullptr; // when it is known
  std::size_t count = 0; // of refusals, or looks, that one line tells of; 0: it is one event
  // Of a look that programs take again and again, from where, without a port; else empty.
  std::string_view lookedFrom{};
};

struct AuditRules {
  // Lines that wait for the file; as many again of what nobody can make in numbers.
  std::size_t waiting = 4'096;
  std::size_t refusals = 10; // of one address in `span`, of nobody known, that are told one by one
  std::chrono::milliseconds span{60'000};
  std::size_t looks = 1'000;                  // of somebody at something, that are remembered
  std::chrono::milliseconds again{3'600'000}; // in which the same looks are one line more
  std::size_t recent = 500;                   // events that are kept in memory
  std::chrono::milliseconds end{1'000};       // how long the file is waited for in the end
};

// Of the file.
struct AuditState {
  bool failing = false;   // it cannot be written, or lines are being lost
  std::uint64_t lost = 0; // lines, since the start
};

// Any thread.
class Audit {
public:
  // `file`: appended to by a thread of its own, one JSON object a line, mode 0600; empty: the log
  // alone. Throws std::system_error when it cannot be opened, or no thread can be started.
  explicit Audit(const std::string &file = {}, AuditRules rules = {});
  // Waits until all is written, for at most rules.end.
  ~Audit();
  Audit(const Audit &) = delete;
  Audit &operator=(const Audit &) = delete;

  // Never waits for the file: lines that find no room are lost, for refusals and ends first, and
  // counted (skillhost_audit_lines_lost_total); the log says so once, and a line of the file tells
  // the count when it is written again (event "lost"). Refusals of strangers above rules.refusals
  // are counted by address, and one line for each tells the count when the span is over (event
  // "refused", with "count").
  // The first look of somebody at something from an address is told at once; as long as it is
  // repeated, one line for each rules.again tells how often (with "count"). What is beyond
  // rules.looks is told look by look.
  void write(const AuditEvent &event);
  // The file is opened anew before the next line: it has been moved away. May be called by a signal
  // handler.
  void reopen() noexcept;
  AuditState state() const;
  // Waits until what was written is in the file; false when `span` was too short.
  bool flush(std::chrono::milliseconds span);
  // The last events that were written down, the oldest first, at most rules.recent: each the text
  // of a JSON object, as a line of the file.
  std::vector<std::string> recent() const;

private:
  class Parts;
  const std::unique_ptr<Parts> parts_;
};

} // namespace skillhost
