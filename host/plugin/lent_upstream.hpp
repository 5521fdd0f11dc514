// SPDX-License-Identifier: Apache-2.0
// Lends a filter the source that it wraps, as upstream.h describes it. A filter may live in a
// process that nobody trusts, so it can only read what the source has listed to it.
#pragma once

#include "frame.hpp"
#include "ground/c_table.hpp"
#include "ground/guarded.hpp"
#include "plugin/document.hpp"
#include "plugin/source.hpp"

#include <skillhost/upstream.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

// Its table is valid as long as it. Any thread.
class LentUpstream {
public:
  using Raw = OwnedTable<skh_upstream>;
  explicit LentUpstream(std::shared_ptr<Source> source);
  LentUpstream(const LentUpstream &) = delete;
  LentUpstream &operator=(const LentUpstream &) = delete;
  const skh_upstream *raw() const noexcept { return raw_.get(); }

  // Lets the filter call the upstream with the skh_call of this frame while this object exists.
  class Admission {
  public:
    // `to` may be null, and then nothing is admitted.
    Admission(LentUpstream *to, const CallFrame &frame, const CallOptions &options);
    ~Admission();
    Admission(const Admission &) = delete;
    Admission &operator=(const Admission &) = delete;

  private:
    LentUpstream *const to_;
    const skh_call *const call_;
  };

private:
  // A call of the host into the filter.
  struct Caller {
    CallOptions options;
    CancelToken ended{}; // the call has returned, so its skh_call must not be used any more
    bool isUnwanted() const noexcept {
      return ended.cancelled() || options.cancel.cancelled() || options.deadline.passed();
    }
  };
  using CallerPointer = std::shared_ptr<const Caller>;

  skh_status list(const skh_call *call, const skh_documents *out);
  skh_status changes(const skh_call *call, skh_str since, const skh_documents *out);
  skh_status read(const skh_call *call, const skh_document *which, const skh_bytes *out);
  skh_status readEach(const skh_call *call, const skh_document *const *which, size_t count,
                      const skh_readings *out);
  skh_status facts(const skh_call *call, skh_str snapshot, const skh_bytes *out);

  CallerPointer callerOf(const skh_call *call) const; // null: the call does not run
  // Calls ask(options, answer) and waits for the answer, but no longer than the call is wanted.
  template <class T, class Ask>
  std::optional<Result<T>> answerFor(const Caller &caller, const Ask &ask) const;
  // Gives the reason to the call, unless it has ended, and returns the status for the filter.
  skh_status failed(const skh_call *call, const Failure &why) const;
  // Returns the listed document with this place and revision.
  Result<Document> listed(const skh_document &which) const;
  using Wanted = std::pair<std::size_t, Document>; // with its index
  // Reads documents at once. If `limit` is less than the largest allowed one, those that exceed it
  // become `larger` instead of an outcome.
  skh_status readBatch(const Caller &caller, std::span<const Wanted> wanted, std::size_t limit,
                       const skh_readings &out, std::vector<Wanted> &larger) const;

  const std::shared_ptr<Source> source_;
  Guarded<std::map<const skh_call *, CallerPointer>> callers_;
  // The snapshot that the source has named last, with all its documents; null: none.
  Guarded<std::shared_ptr<const Snapshot>> listed_;
  Raw raw_;
};

} // namespace skillhost
