// SPDX-License-Identifier: Apache-2.0
// The decisions of a service whose replicas share an engine: the engine is their place, and each
// replica has a copy for while it is away.
#pragma once

#include "ground/result.hpp"
#include "plugin/shared_store.hpp"
#include "review/approvals.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skillhost {

struct EngineDecisionsSettings {
  std::string file;    // of approvals, whose decisions are taken over at the first contact
  std::string copy;    // file of what was there last; empty: none is kept
  std::string service; // of another one the copy is not read
  std::chrono::milliseconds look{30'000}; // between looks, where nothing is told
};

// Each skill has a key, which is changed by comparing alone. An index names the skills and counts
// the changes; the count at its change stands in each decision. So a decision that the engine has
// lost, or an earlier one that somebody has put back, is known as such and is restored.
//
// Looks when another replica says that it has decided, when messages were lost, when the engine
// comes back, and now and then. Any thread. All work is done on a thread of its own.
class EngineDecisions {
public:
  using Changed = std::function<void(const Approvals &now)>;
  using Looked = std::function<void(const Status &)>;
  using DecisionPointer = std::shared_ptr<const Decision>;
  using Decided = std::function<void(Result<DecisionPointer>)>;
  using Imported = std::function<void(Result<std::vector<std::string>>)>;

  // `changed` receives what holds: the copy at once, if there is one, then what the engine says,
  // and whenever that changes; on the thread of this object or the caller's. Throws
  // std::system_error when no thread can be started.
  EngineDecisions(std::shared_ptr<SharedStore> state, EngineDecisionsSettings settings,
                  Changed changed);
  ~EngineDecisions(); // end()
  EngineDecisions(const EngineDecisions &) = delete;
  EngineDecisions &operator=(const EngineDecisions &) = delete;

  // The failure says why what the engine holds is not known.
  void look(Looked looked);
  // Hears of the decision that was there before (null: none), once the new one is in the engine.
  // Conflict: it is not the one with the id `seen` (empty: none), or somebody else decides at the
  // same time. Unavailable: the engine is away, and nothing was
  // decided, or it is not known whether it was, as the message says.
  void decide(std::string skill, Decision decision, std::optional<std::string> seen,
              Decided decided);
  // Takes over the decisions on skills that have none. Hears of the skills that have another one,
  // which stays.
  void importAll(Approvals approvals, Imported imported);
  // Why decisions are not those of the engine, apart from one that is away; empty: they are.
  std::string problem() const;
  // Whoever waits is answered with Cancelled. Not on the thread of this object.
  void end();

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
