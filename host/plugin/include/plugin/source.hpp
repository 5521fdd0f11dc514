// SPDX-License-Identifier: Apache-2.0
// A source instance as the host calls it: it returns documents, and never makes its caller wait.
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
  // Calls the listener when the plugin hints that something has changed, even if it did so before
  // this call. The listener runs on any thread and must not block. Call it once.
  virtual void onChanged(std::function<void()> listener) = 0;

  // Ends the executor: cancels the calls that wait or run, and refuses later ones. Must not be
  // called on an executor's own thread.
  virtual void stop() = 0;

  // True if it can list an earlier snapshot again when it is configured to.
  virtual bool supportsPinning() const noexcept { return false; }

  // True if it could not be made, so that it fails until somebody corrects the configuration.
  virtual bool isAbsent() const noexcept { return false; }

  // True if it withholds what rules or a lock do not allow. It has checked only the documents and
  // no other files in their folders, so readers get copies and do not learn of these folders.
  virtual bool isFilter() const noexcept { return false; }

  virtual void list(CallOptions options, ResultCallback<Snapshot> answer) = 0;
  // Fails with Stale if the source cannot say what changed: list again.
  virtual void changes(CallOptions options, std::string since, ResultCallback<Changes> answer) = 0;
  // Reads at most `limit` bytes, else fails with TooLarge. Fails with Stale if that revision is
  // gone.
  virtual void read(CallOptions options, Document document, std::size_t limit,
                    ResultCallback<std::string> answer) = 0;
  // Reads several documents with as many threads as the executor has: calls each(index, bytes) for
  // every document, from any of them, and then done() once.
  using Each = std::function<void(std::size_t index, Result<std::string> bytes)>;
  virtual void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit,
                        Each each, std::function<void()> done) = 0;
};

} // namespace skillhost
