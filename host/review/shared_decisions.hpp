// SPDX-License-Identifier: Apache-2.0
// Keeps the file of approvals of this replica and those of the others the same, by a document in
// what the replicas share.
#pragma once

#include "ground/result.hpp"
#include "state/shared_state.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace skillhost {

// Of the document; beside it there is room for what the state adds.
inline constexpr std::size_t largestSharedDecisions = StateBackend::largestValue - 1'024;

struct SharedDecisionsSettings {
  std::string file;    // of approvals; an absolute path, of a folder that can be written
  std::string service; // those with another one have agreed on nothing with this one
  std::chrono::milliseconds look{30'000}; // between looks, where nothing is told
};

// What was agreed on last is in FILE.agreed, so that a start knows what has changed meanwhile.
//
// The document is changed by comparing alone, then the file is, then FILE.agreed: whoever is
// killed in between finds the document to be later than its own. Looks at both when somebody says
// so, when another replica says that it has changed the document, when messages were lost, when the
// engine comes back, and now and then. See agree() for what becomes of them.
//
// A document that cannot be read, such as a newer version's, is left as it is. So is everything
// while the file cannot be read.
//
// Any thread. All work is done on a thread of its own.
class SharedDecisions {
public:
  using Answered = std::function<void(const Status &)>;

  // Begins with the first look(). `written` hears that the file was replaced, before anybody hears
  // that it was agreed on; on the thread of this object.
  SharedDecisions(std::shared_ptr<SharedState> state, SharedDecisionsSettings settings,
                  std::function<void()> written);
  // end()
  ~SharedDecisions();
  SharedDecisions(const SharedDecisions &) = delete;
  SharedDecisions &operator=(const SharedDecisions &) = delete;

  void look();
  // Looks, and says when file and document are the same: what was in the file at the call is known
  // to all then, and what was shared is in the file. Unavailable or ToolTimeout while the engine is
  // away. On the thread of this object, or of who calls end().
  void agree(Answered answered);
  // Why decisions do not reach the other replicas, apart from an engine that is away; empty: they
  // do.
  std::string problem() const;
  // Whoever waits is answered with Cancelled. Not on the thread of this object.
  void end();

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
