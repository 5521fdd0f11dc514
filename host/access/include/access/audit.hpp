// SPDX-License-Identifier: Apache-2.0
// Writes the audit: who was refused, who used something that manages the server, and when the
// server started and stopped. The audit consists of lines of the log (part "audit") and of records
// for observers. It never contains a credential.
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
  // "refused", "ended", "managed", "proposed", "reviewed", "started", "reconfigured", "stopped" or
  // "name taken".
  std::string_view kind;
  int status = 0;             // of a refusal: 401, 403, 503 or 400; otherwise 0
  std::string_view reason{};  // of a refusal or a reload, in words; of a taken name: who has it
  std::string_view method{};  // of the protocol; may be empty
  std::string_view subject{}; // the tool, URI or file; may be empty
  std::string_view peer{};
  const Principal *principal = nullptr; // null if it is unknown
  // Number of refusals or reads that the record counts; 0: it is about a single event.
  std::size_t count = 0;
  // Address of the caller, without a port, for a read that programs repeat, such as the page that
  // polls; otherwise empty. See Audit::write().
  std::string_view repeatedFrom{};
};

struct AuditRules {
  // Refusals of unknown callers from one address within `span` that are written one by one.
  std::size_t maxLoggedRefusals = 10;
  std::chrono::milliseconds span{60'000};
  std::size_t maxRememberedReads = 1'000;              // different repeated reads that are counted
  std::chrono::milliseconds repeatInterval{3'600'000}; // between two lines about a repeated read
  std::size_t maxRecentEvents = 500;                   // events that recent() returns
};

// Says whether an observer that receives the audit fails, and how many records it lost.
using AuditState = ObserverState;

// Any thread.
class Audit {
public:
  // `observers` are notified of each record, after the log.
  explicit Audit(Observers observers = {}, AuditRules rules = {});
  ~Audit();
  Audit(const Audit &) = delete;
  Audit &operator=(const Audit &) = delete;

  // Writes a line of the log and a record. Never waits for an observer. Events that are frequent
  // are counted instead, and a later event of the same kind has their number in `count`:
  // - Refusals of unknown callers from one address beyond rules.maxLoggedRefusals. The count is
  //   written when rules.span is over.
  // - Reads with `repeatedFrom` after the first one by this principal, of this subject and from
  // this
  //   address. The count is written once in each rules.repeatInterval. Beyond
  //   rules.maxRememberedReads different reads, further ones are written one by one.
  void write(const AuditEvent &event);
  // Call it when log files have been moved away: observers then open their files again before they
  // write the next record. A signal handler may call it.
  void reopen() noexcept;
  AuditState state() const;
  // Returns the last events that were written, each as a JSON object, the oldest first; at most
  // rules.maxRecentEvents.
  std::vector<std::string> recent() const;

private:
  class Parts;
  const std::unique_ptr<Parts> parts_;
};

} // namespace skillhost
