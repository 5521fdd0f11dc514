// SPDX-License-Identifier: Apache-2.0
// Plays the source that a filter wraps: two skills with a few documents, one of which can change.
#pragma once

#include "placed.hpp"

#include <skillhost/upstream.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::check {

// It keeps the rules of upstream.h. Any thread.
class StandInUpstream {
public:
  using Raw = Placed<skh_upstream>;
  StandInUpstream();
  const skh_upstream *raw() const noexcept { return raw_.get(); }

  // Changes a document. The next calls return its new content.
  void change();
  std::atomic<bool> fails{false};       // its functions return SKH_UNAVAILABLE
  std::atomic<unsigned> listings{0};    // calls of list() and changes() that may begin
  std::atomic<unsigned> misuses{0};     // calls with an skh_call that does not run
  std::atomic<unsigned> failedReads{0}; // read() and documents of read_each() that have failed

private:
  struct Held {
    std::string skill, path, revision, bytes;
    bool isEntry = false;
  };
  // Returns why a function must not begin; SKH_OK: it may.
  skh_status begin(const skh_call *call);
  std::vector<Held> held() const;
  std::string snapshot() const;
  skh_status list(const skh_call *call, const skh_documents *out);
  skh_status changes(const skh_call *call, skh_str since, const skh_documents *out);
  skh_status read(const skh_call *call, const skh_document *which, const skh_bytes *out);
  skh_status readEach(const skh_call *call, const skh_document *const *which, size_t count,
                      const skh_readings *out);
  skh_status facts(const skh_call *call, skh_str snapshot, const skh_bytes *out);
  skh_status bytesOf(const skh_document &which, std::string &bytes);

  std::atomic<unsigned> version_{1};
  Raw raw_;
};

} // namespace skillhost::check
