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
  // Of the entry that was found, as Index knows it; empty where that is not sure.
  std::string revision{};
};

struct HeldEntry {
  std::string id, revision;
};

class SearchBackend {
public:
  virtual ~SearchBackend() = default;

  virtual const std::string &name() const noexcept = 0;
  // Whether its scores are from 0 to 1 and mean the same over queries.
  virtual bool calibrated() const noexcept { return false; }
  // Hears the plugin's hint that what was committed is lost, also one that came before; on any
  // thread, must not block. Call it once.
  virtual void onChanged(std::function<void()> listener) = 0;
  // Ends the executor: finishes what is queued, refuses everything after. Not on an executor's own
  // thread.
  virtual void stop() = 0;
  // What the last commit made visible, also one of an earlier run; nothing where the backend cannot
  // tell, or says that its index is new. Not during an update.
  virtual void held(CallOptions options, Answer<std::optional<std::vector<HeldEntry>>> answer) = 0;
  // Puts and removes, then commits all of it as `generation`: queries see everything or nothing.
  // One update at a time.
  virtual void update(CallOptions options, std::vector<SearchEntry> put,
                      std::vector<std::string> removed, std::string generation,
                      Answer<Done> answer) = 0;
  // At most `limit` hits, best first; `filter` is empty or a JSON object, see plugin.h.
  virtual void query(CallOptions options, std::string text, std::string filter, std::uint32_t limit,
                     Answer<std::vector<SearchHit>> answer) = 0;
  // Why `id` scores what it does for `text`: a JSON object as explain.h describes it.
  // NotImplemented by a plugin that does not say; NotFound.
  virtual void explain(const CallOptions & /*options*/, const std::string & /*text*/,
                       const std::string & /*id*/, const Answer<std::string> &answer) {
    answer({Fault::NotImplemented, name() + ": explains nothing"});
  }
  // When what was committed has been worked on for good, or never will be: what queries lack from
  // then on, in words for a person; empty when all is there.
  virtual void settle(const CallOptions & /*options*/, const Answer<std::string> &answer) {
    answer(std::string());
  }
};

} // namespace skillhost
