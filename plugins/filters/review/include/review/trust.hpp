// SPDX-License-Identifier: Apache-2.0
// This tells what the rules of trust come to for one skill, by its findings and its decision.
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

// How a skill stands to what has been decided.
enum class ReviewState : std::uint8_t { New, Approved, Changed, Expired, Rejected, Unknown };

inline constexpr std::size_t reviewStates = 6;

// What is known of a skill when it is judged.
struct Examined {
  std::string digest; // contentDigest(); empty: not all of its files can be read
  bool isSigned = false;
  std::optional<Severity> worst; // of its findings; none: it has none
  std::size_t severe = 0;        // findings that are errors
  std::string severest{};        // the code of the first of these
};

struct Judgement {
  TrustAction action = TrustAction::Serve;
  ReviewState state = ReviewState::New;
  std::string reason; // for managers, why it is not simply served; or what was decided
  std::string notice; // one line for the agent that loads it; may be empty
};

std::string_view nameOf(TrustAction action) noexcept; // "serve", "warn", "quarantine"
std::string_view nameOf(ReviewState state) noexcept;  // "new", "approved", …

// Those rules that may apply to skills of the source, in their order: the first that holds decides.
// Empty when all of them come to serving: then nothing of it is looked at.
std::vector<TrustRule> rulesFor(const std::vector<TrustRule> &rules, std::string_view source);

// What is rejected by these decisions, and not over at `now`, but is of sources of which all skills
// are served: the rejections have no effect. The ids, sorted.
std::vector<std::string> rejectedInVain(const std::vector<TrustRule> &rules,
                                        const Approvals &approvals, std::int64_t now);

// For people: who has decided what, when and why.
std::string textOf(const Decision &decision);

// The content that is rejected, wherever it lies: a copy of a rejected skill under another path,
// or with its files renamed, stays rejected.
class RejectedContent {
public:
  // Refers to `approvals`.
  RejectedContent(const Approvals &approvals, std::int64_t now);

  struct Rejection {
    std::string_view skill; // the id under which it was rejected
    const Decision *decision = nullptr;
  };
  // The newest rejection of a skill with these files; nothing if the reviewer has approved the
  // skill itself, as it is now, after that. `own`: what was decided of the skill; null: nothing.
  std::optional<Rejection> find(const LockedSkill &files, std::string_view digest,
                                const Decision *own) const;

private:
  std::map<std::string, Rejection, std::less<>> rejections_; // by the bytes of the files
};

// `decision`: null when there is none. `unknown`: why decisions cannot be known, which withholds
// everything; empty: they are known.
Judgement judge(const std::vector<TrustRule> &rules, const Examined &examined,
                const Decision *decision, const std::string &unknown, std::int64_t now);

} // namespace skillhost
