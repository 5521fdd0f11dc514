// SPDX-License-Identifier: Apache-2.0
// The audit: who was refused, who used something that manages the server, and when it started and
// stopped. It writes lines of the log (part "audit") and records for observers. It never contains a
// credential.
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
  // The kind of the event: refused, ended, managed, reviewed, started, reconfigured, stopped, name
  // taken.
  std::string_view what;
  int status = 0;             // of a refusal: 401, 403, 503 or 400; otherwise 0
  std::string_view reason{};  // of a refusal, in a few words; of a taken name: by whom
  std::string_view method{};  // of the protocol; may be empty
  std::string_view subject{}; // the tool, URI or file; may be empty
  std::string_view peer{};
  const Principal *principal = nullptr; // null if it is unknown
  // Number of refusals or reads that one line stands for; 0: it is a single event.
  std::size_t count = 0;
  // The address, without a port, if this is a read that programs repeat; otherwise empty.
  std::string_view repeatedFrom{};
};

struct AuditRules {
  // Refusals of unknown callers from one address in `span` that are logged one by one.
  std::size_t maxLoggedRefusals = 10;
  std::chrono::milliseconds span{60'000};
  std::size_t maxRememberedReads = 1'000;     // repeated reads that are remembered
  std::chrono::milliseconds again{3'600'000}; // interval in which repeated reads add one line
  std::size_t recent = 500;                   // number of events that are kept in memory
};

// Says whether a keeper of audit records fails, and how many records were lost.
using AuditState = ObserverState;

// Any thread.
class Audit {
public:
  // `observers` are notified of each record, after the log.
  explicit Audit(Observers observers = {}, AuditRules rules = {});
  ~Audit();
  Audit(const Audit &) = delete;
  Audit &operator=(const Audit &) = delete;

  // Never waits for the keepers of the records. If more than rules.maxLoggedRefusals unknown
  // callers are refused from one address, the rest is counted, and one line with the count is
  // written when the span is over (event "refused", with "count"). The first read of a resource by
  // somebody from an address is logged at once. While it is repeated, one line in each rules.again
  // states the number (with "count"). If more than rules.maxRememberedReads different reads are
  // remembered, the others are logged one by one.
  void write(const AuditEvent &event);
  // Call it when the files with its records have been moved away: they are opened again before the
  // next line. A signal handler may call it.
  void reopen() noexcept;
  AuditState state() const;
  // Returns the last events that were written, the oldest first, at most rules.recent: each is the
  // text of a JSON object.
  std::vector<std::string> recent() const;

private:
  class Parts;
  const std::unique_ptr<Parts> parts_;
};

} // namespace skillhost
