// SPDX-License-Identifier: Apache-2.0
// Audit: who was refused, who used what manages the server, when it started and stopped. Lines of
// the log (part "audit"), and records for observers. Never holds a credential.
#pragma once

#include "access/principal.hpp"
#include "plugin/observer.hpp"

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
  std::size_t refusals = 10; // of one address in `span`, of nobody known, that are told one by one
  std::chrono::milliseconds span{60'000};
  std::size_t looks = 1'000;                  // of somebody at something, that are remembered
  std::chrono::milliseconds again{3'600'000}; // in which the same looks are one line more
  std::size_t recent = 500;                   // events that are kept in memory
};

// Says whether a keeper of audit records fails, and how many records all keepers have lost.
using AuditState = ObserverState;

// Any thread.
class Audit {
public:
  // `observers` are told of each record, after the log.
  explicit Audit(Observers observers = {}, AuditRules rules = {});
  ~Audit();
  Audit(const Audit &) = delete;
  Audit &operator=(const Audit &) = delete;

  // Never waits for those that keep the records. Refusals of strangers above rules.refusals are
  // counted by address, and one line for each tells the count when the span is over (event
  // "refused", with "count").
  // The first look of somebody at something from an address is told at once; as long as it is
  // repeated, one line for each rules.again tells how often (with "count"). What is beyond
  // rules.looks is told look by look.
  void write(const AuditEvent &event);
  // Files that keep its records have been moved away, and are opened anew before the next line. May
  // be called by a signal handler.
  void reopen() noexcept;
  AuditState state() const;
  // The last events that were written down, the oldest first, at most rules.recent: each the text
  // of a JSON object.
  std::vector<std::string> recent() const;

private:
  class Parts;
  const std::unique_ptr<Parts> parts_;
};

} // namespace skillhost
