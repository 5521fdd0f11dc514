// SPDX-License-Identifier: Apache-2.0
// A proposal: a new skill, or a change of one, that waits for a reviewer or was decided.
#pragma once

#include "document_digests.hpp"
#include "ground/json.hpp"
#include "ground/result.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace skillhost::inbox {

struct File {
  std::string bytes;
  bool executable = false;
  bool isLink = false; // the bytes then name its target; only of a folder that was read

  bool operator==(const File &) const = default;
};
using Files = std::map<std::string, File>; // by path in the skill

// Returns the same digest as contentDigest(), so that it equals what a review of the skill prints.
std::string digestOf(const Files &files);

// Both texts are empty for the user of this machine, whom no auth plugin identifies.
struct Person {
  std::string issuer, subject;

  bool operator==(const Person &) const = default;
};
// Returns the subject, or "the local user".
std::string nameOf(const Person &person);

enum class State : std::uint8_t { Pending, Approved, Rejected };
std::string_view nameOf(State state) noexcept; // "pending", "approved", "rejected"

struct Proposal {
  std::string id;   // see isProposalId()
  std::string name; // of the skill
  std::string note; // what the proposer says about it
  Person proposer;
  std::string client; // as it calls itself; may be empty
  std::int64_t when = 0;
  State state = State::Pending;
  Person reviewer;
  std::int64_t decided = 0; // 0: not yet
  std::string reason;       // of the decision
  std::string digest;       // of the proposed files
  std::string base;         // digest of the skill that was there when it was proposed; empty: none
  bool sawSkill = false;    // the proposer saw that skill, and so may see it beside the proposal
  std::size_t files = 0, bytes = 0;
  Json findings = Json::array(); // those that did not refuse it, as findingAsJson() writes them
  std::size_t findingCount = 0;  // also where the list of findings is left out
};

// Returns true for 32 lower-case hexadecimal digits.
bool isProposalId(std::string_view text) noexcept;

// Returns the content of a record of a proposal.
std::string recordOf(const Proposal &proposal);
// Fails with Corrupt if the text is no such record.
Result<Proposal> proposalFrom(std::string_view record);

// Returns what callers are told: id, name, state, proposer, when, note, digest, files, bytes,
// findings and findings_total, and of a decision reviewer, decided and reason.
Json proposalJson(const Proposal &proposal);

} // namespace skillhost::inbox
