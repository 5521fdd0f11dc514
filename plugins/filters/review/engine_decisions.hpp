// SPDX-License-Identifier: Apache-2.0
// The decisions of a service whose replicas share an engine: they are stored in the engine. Each
// replica keeps a copy for the time when the engine is unreachable.
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
  std::string file;    // the file of approvals, whose decisions are imported at the first contact
  std::string copy;    // file with the last known decisions; empty: no copy is kept
  std::string service; // A copy of another service is ignored.
  // Interval between reads of the index if no message arrives.
  std::chrono::milliseconds refreshInterval{30'000};
};

// Each skill has a key, which is changed only by compare-and-set. An index names the skills and
// counts the changes; each decision contains the count at its change. So a decision that the engine
// has lost, or an older one that somebody has put back, is recognised and restored.
//
// Reads the engine when another replica announces a decision, when messages were lost, when the
// engine is reachable again, and at intervals. Any thread. All work is done on a thread of its own.
class EngineDecisions {
public:
  using Changed = std::function<void(const Approvals &now)>;
  using OnRefreshed = std::function<void(const Status &)>;
  using DecisionPointer = std::shared_ptr<const Decision>;
  using Decided = std::function<void(Result<DecisionPointer>)>;
  using Imported = std::function<void(Result<std::vector<std::string>>)>;

  // `changed` receives the decisions in force: first the copy, if there is one, then those of the
  // engine, and all later changes. It is called on the thread of this object or of the caller.
  // Throws std::system_error if no thread can be started.
  EngineDecisions(std::shared_ptr<SharedStore> state, EngineDecisionsSettings settings,
                  Changed changed);
  ~EngineDecisions(); // end()
  EngineDecisions(const EngineDecisions &) = delete;
  EngineDecisions &operator=(const EngineDecisions &) = delete;

  // Reads the decisions of the engine. The failure says why they are not known.
  void refresh(OnRefreshed onRefreshed);
  // Calls `decided` with the decision that was replaced (null: none) when the new one is in the
  // engine. Fails with Conflict if `seen` has a value (empty: none) that is not the id of the
  // replaced decision, or if somebody else decides at the same time. Fails with Unavailable if the
  // engine is unreachable; the message says whether nothing was decided or whether that is unknown.
  void decide(std::string skill, Decision decision, std::optional<std::string> seen,
              Decided decided);
  // Imports the decisions on skills that have none. Calls `imported` with the skills that have
  // another decision, which stays.
  void importAll(Approvals approvals, Imported imported);
  // Returns why the decisions differ from those of the engine, if that is not because the engine is
  // unreachable; empty if they do not differ.
  std::string problem() const;
  // Answers all waiting calls with Cancelled. Do not call it on the thread of this object.
  void end();

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
