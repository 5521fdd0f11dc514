// SPDX-License-Identifier: Apache-2.0
// Audit: who was refused, who used what manages the server, when it started and stopped. Lines of
// the log (part "audit") and, if wanted, of a file. Never holds a credential.
#pragma once

#include "access/principal.hpp"

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>

namespace skillhost {

struct AuditEvent {
  std::string_view what;      // refused, managed, started, stopped
  int status = 0;             // of a refusal: 401, 403, 503, 400; 0: none
  std::string_view reason{};  // of a refusal, in a few words
  std::string_view method{};  // of the protocol; empty: none
  std::string_view subject{}; // the tool or URI; empty: none
  std::string_view peer{};
  const Principal *principal = nullptr; // when it is known
};

// Any thread.
class Audit {
public:
  // `file`: appended to, one JSON object a line, mode 0600; empty: the log alone. Throws
  // std::system_error when it cannot be opened.
  explicit Audit(std::string file = {});
  ~Audit();
  Audit(const Audit &) = delete;
  Audit &operator=(const Audit &) = delete;

  void write(const AuditEvent &event);
  // The file is opened anew before the next line: it has been moved away. May be called by a signal
  // handler.
  void reopen() noexcept { moved_ = true; }

private:
  void append(const std::string &members);

  const std::string file_;
  std::atomic<bool> moved_{false};
  std::mutex mutex_;
  int descriptor_ = -1; // under the lock
};

} // namespace skillhost
