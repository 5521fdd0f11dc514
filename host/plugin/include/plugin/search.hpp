// SPDX-License-Identifier: Apache-2.0
// A search instance as the host calls it.
#pragma once

#include "plugin/call.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

struct SearchEntry {
  std::string id, revision, name, description, body;
  std::string attributes; // JSON object
};

struct SearchHit {
  std::string id;
  double score = 0;
  std::string snippet;
  // The revision of the entry that was found, as Index knows it; empty if it is uncertain.
  std::string revision{};
};

struct HeldEntry {
  std::string id, revision;
};

class SearchBackend {
public:
  virtual ~SearchBackend() = default;

  virtual const std::string &name() const noexcept = 0;
  // True if its scores are from 0 to 1 and can be compared between queries.
  virtual bool hasCalibratedScores() const noexcept { return false; }
  // Calls the listener when the plugin hints that committed entries are lost, even if it did so
  // before this call. The listener runs on any thread and must not block. Call it once.
  virtual void onChanged(std::function<void()> listener) = 0;
  // Ends the executor: cancels the calls that wait or run, and refuses later ones. Must not be
  // called on an executor's own thread.
  virtual void stop() = 0;
  // Returns the entries that the last commit made visible, also one of an earlier run; nothing if
  // the backend cannot say, or says that its index is new. Must not be called during an update.
  virtual void held(CallOptions options,
                    ResultCallback<std::optional<std::vector<HeldEntry>>> answer) = 0;
  // Puts and removes entries, then commits all of it as `generation`: queries see everything or
  // nothing. One update at a time.
  virtual void update(CallOptions options, std::vector<SearchEntry> put,
                      std::vector<std::string> removed, std::string generation,
                      ResultCallback<Done> answer) = 0;
  // Returns at most `limit` hits, best first; `filter` is empty or a JSON object, see plugin.h.
  virtual void query(CallOptions options, std::string text, std::string filter, std::uint32_t limit,
                     ResultCallback<std::vector<SearchHit>> answer) = 0;
  // Returns the reason for the score of `id` for `text`: a JSON object as explain.h describes it.
  // Fails with NotImplemented if the plugin explains nothing, and with NotFound if it has no such
  // entry.
  virtual void explain(const CallOptions & /*options*/, const std::string & /*text*/,
                       const std::string & /*id*/, const ResultCallback<std::string> &answer) {
    answer({Fault::NotImplemented, name() + ": explains nothing"});
  }
  // Answers when the backend has finished its work on what was committed, or never will, with a
  // description for people of what queries lack from then on; empty if nothing is missing.
  virtual void settle(const CallOptions & /*options*/, const ResultCallback<std::string> &answer) {
    answer(std::string());
  }
};

} // namespace skillhost
