// SPDX-License-Identifier: Apache-2.0
// Says what was done, for people and as JSON.
#pragma once

#include "agent_folders.hpp"
#include "folder_sync.hpp"
#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace skillhost::sync {

struct FolderReport {
  TargetFolder target;
  FolderOutcome outcome;
  std::string failure; // the reason why the folder could not be used at all; else empty
};

struct SyncReport {
  std::vector<FolderReport> folders;
  std::vector<LeftOut> leftOut;
  std::string whyIncomplete; // as in an offer
  Effect effect = Effect::Apply;
};

// 0: every folder holds what the source has. 1: something failed, or the source is incomplete. 3:
// nothing failed, but a folder differs from the source: somebody has changed a skill, a place is
// taken, a skill is left out, or nothing was to be written and something would have changed.
int exitCodeOf(const SyncReport &report);

// Returns the report with what earlier rounds of the same run have changed, so that it says all
// that was done.
SyncReport afterEarlier(SyncReport report, const SyncReport &earlier);
// Returns true if something was written or removed.
bool hasChanged(const SyncReport &report);

// Returns lines, which may contain a stranger's words.
std::string asText(const SyncReport &report);
Json asJson(const SyncReport &report);

} // namespace skillhost::sync
