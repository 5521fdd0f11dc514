// SPDX-License-Identifier: Apache-2.0
// A source instance as the host calls it: documents in, never a wait for the caller.
#pragma once

#include "plugin/call.hpp"
#include "plugin/document.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace skillhost {

class Source {
public:
  virtual ~Source() = default;

  virtual const std::string &name() const noexcept = 0;
  // Hears the plugin's hint that something changed, also one that came before; on any thread, must
  // not block. Call it once.
  virtual void onChanged(std::function<void()> listener) = 0;

  // Ends the executor: finishes what is queued, refuses everything after. Not on an executor's own
  // thread.
  virtual void stop() = 0;

  // Does it list a snapshot again that it has named before, when it is configured to?
  virtual bool goesBack() const noexcept { return false; }

  // Could it not be made, so that it fails until somebody mends the configuration?
  virtual bool absent() const noexcept { return false; }

  // True if it withholds what rules or a lock do not allow. It has looked at the documents alone,
  // and not at what else lies in their folders: readers are not told those, they get copies.
  virtual bool isFilter() const noexcept { return false; }

  virtual void list(CallOptions options, Answer<Snapshot> answer) = 0;
  // Stale when the source cannot tell: list again.
  virtual void changes(CallOptions options, std::string since, Answer<Changes> answer) = 0;
  // At most `limit` bytes, else TooLarge. Stale when that revision is gone.
  virtual void read(CallOptions options, Document document, std::size_t limit,
                    Answer<std::string> answer) = 0;
  // Reads several documents with as many threads as the executor has: each(index, bytes) for every
  // document, from any of them; then done() once.
  using Each = std::function<void(std::size_t index, Result<std::string> bytes)>;
  virtual void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit,
                        Each each, std::function<void()> done) = 0;
};

} // namespace skillhost
