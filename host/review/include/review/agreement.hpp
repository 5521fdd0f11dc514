// SPDX-License-Identifier: Apache-2.0
// How the decisions of several replicas become those of all: each replica has a file of approvals,
// and all share one document of what they have agreed on.
#pragma once

#include "ground/result.hpp"
#include "review/approvals.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

inline constexpr std::size_t longestHistory = 256; // marks

// What was agreed on at some time. Its history tells whether one was made of another, so that an
// engine that has lost its last writes, or that somebody has put back an earlier value into, does
// not bring back an approval that was withdrawn since.
struct AgreedDecisions {
  Approvals approvals;
  // Of itself, then of what it was made of, the newest first; as far back as longestHistory.
  std::vector<std::string> history; // 16 hexadecimal digits each; not empty
  // How many it was made of, one after another; more than its history may tell.
  std::uint64_t generation = 0;

  const std::string &mark() const { return history.front(); }
  // What all others come of: no decisions. Who has seen that there are none yet has agreed on it.
  static AgreedDecisions beginning();
  bool isBeginning() const noexcept { return history.size() == 1 && approvals.skills.empty(); }
  std::string text() const;
  // The failure says what is wrong with it, or that a newer version has written it.
  static Result<AgreedDecisions> parse(std::string_view text);
};

struct Agreement {
  AgreedDecisions document; // for the file, and to be shared
  // For the log, a line each: decisions on one skill that were made apart, and which of them holds.
  std::vector<std::string> met;
  // The ids of skills whose approvals were in the file alone, and are not taken over.
  std::vector<std::string> leftOut;
};

// `base` is what this replica has agreed on last, `file` what its file has, `shared` what the
// replicas share; null: there is none. Entry by entry:
// - What has changed since the base on one side is as on that side. On both: the stricter one,
// which
//   is a rejection before no decision before an approval; of two equals the newer one.
// - Without a base, or when what is shared was made neither of the base nor before it, nobody knows
//   which side has changed. With a base the stricter one holds then; without one what is shared
//   does, and rejections that are in the file: an approval that was withdrawn elsewhere must not
//   come back.
// - What is so much later that its history does not reach back to the base counts as made of it.
//   Since that is not certain, a rejection in the file holds unless it was approved after it.
// - What is shared from before the base is as if it were the base: the file holds.
// - No file is one that is as the base. Nothing shared: the file holds.
// Two replicas come to the same whichever of them is asked. Any thread.
Agreement agree(const AgreedDecisions *base, const Approvals *file, const AgreedDecisions *shared);

// For a replica that cannot share what its file has: the file, and what the others have rejected
// since the base, which its file does not reject. Any thread.
Approvals withRejectionsOf(const AgreedDecisions &shared, const AgreedDecisions *base,
                           const Approvals &file);

} // namespace skillhost
