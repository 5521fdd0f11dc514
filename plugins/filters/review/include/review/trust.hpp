// SPDX-License-Identifier: Apache-2.0
// Applies the rules of trust to one skill, by its findings and its decision.
#pragma once

#include "ground/glob.hpp"
#include "review/approvals.hpp"
#include "review/trust_rule.hpp"
#include "skillmd/finding.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The review state of a skill.
enum class ReviewState : std::uint8_t { New, Approved, Changed, Expired, Rejected, Unknown };

inline constexpr std::size_t reviewStates = 6;

// The properties of a skill by which it is judged.
struct Examined {
  std::string digest; // contentDigest(); empty if not all of its files can be read
  bool isSigned = false;
  std::optional<Severity> worst; // of its findings; none if it has none
  std::size_t severe = 0;        // number of findings that are errors
  std::string severest{};        // code of the first of these
};

struct Judgement {
  TrustAction action = TrustAction::Serve;
  ReviewState state = ReviewState::New;
  std::string reason; // For managers: why it is not simply served, or the decision.
  std::string notice; // one line for the agent that loads it; may be empty
};

std::string_view nameOf(TrustAction action) noexcept; // "serve", "warn", "quarantine"
std::string_view nameOf(ReviewState state) noexcept;  // "new", "approved", …

// Returns the rules that may apply to skills of the source, in their order; the first rule whose
// conditions hold decides. Empty if all of them serve the skill: then nothing of the source is
// examined.
std::vector<TrustRule> rulesFor(const std::vector<TrustRule> &rules, std::string_view source);

// Returns the ids of skills that are rejected by a decision in force at `now`, but belong to
// sources whose skills are all served, so that the rejections have no effect. Sorted.
std::vector<std::string> rejectedInVain(const std::vector<TrustRule> &rules,
                                        const Approvals &approvals, std::int64_t now);

// Returns for people who decided what, when and why.
std::string textOf(const Decision &decision);

// Finds rejected content at any path: a copy of a rejected skill under another path, or with
// renamed files, stays rejected.
class RejectedContent {
public:
  // Keeps references to `approvals`.
  RejectedContent(const Approvals &approvals, std::int64_t now);

  struct Rejection {
    std::string_view skill; // the id under which it was rejected
    const Decision *decision = nullptr;
  };
  // Returns the newest rejection of a skill with these files; nothing if a later decision approved
  // the skill itself as it is now. `own` is the decision on the skill; null if there is none.
  std::optional<Rejection> find(const LockedSkill &files, std::string_view digest,
                                const Decision *own) const;

private:
  std::map<std::string, Rejection, std::less<>> rejections_; // by the bytes of the files
};

// `decision` is null if there is none. `unknown` says why the decisions are not known, which
// withholds everything; empty if they are known.
Judgement applyRules(const std::vector<TrustRule> &rules, const Examined &examined,
                     const Decision *decision, const std::string &unknown, std::int64_t now);

} // namespace skillhost
