// SPDX-License-Identifier: Apache-2.0
// The folder of proposals, and the folder of skills to which an approval adds one. Several
// processes may use both at once. A proposal is there as a whole or not at all, even if a process
// is killed or the disk is full.
#pragma once

#include "ground/descriptor.hpp"
#include "ground/result.hpp"
#include "inbox/proposal.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::inbox {

struct StoreSettings {
  std::string folder; // absolute; of the proposals
  std::string skills; // absolute; approved skills are served from it
  std::size_t pending = 200, pendingPerProposer = 10;
  std::int64_t keepSeconds = 90LL * 86'400; // after the proposal or its decision
  std::size_t kept = 1'000;                 // proposals in all; the oldest decided ones go first
};

// A skill as somebody proposes it. Its files have passed the checks of proposal_check.hpp.
struct Submission {
  std::string name, note;
  Person proposer;
  std::string client;
  Files files;
  Json findings = Json::array();
};

struct ProposalList {
  struct Unreadable {
    std::string id, why; // `why` names the file and says what to do
  };
  std::vector<Proposal> proposals;    // without their findings, the newest first
  std::vector<Unreadable> unreadable; // those whose record is damaged
};

struct ProposalContent {
  Proposal proposal;
  Files files;
  // The skill that the proposal is compared with: of an approved one that which it replaced,
  // otherwise the present one. Nothing if there is none.
  std::optional<Files> before;
  std::string base;          // digest of `before`; empty if there is none
  bool isOutdated = false;   // pending, and what is there has changed since the proposal
  bool isUnreadable = false; // there is something that cannot be compared, so `before` is nothing
  std::string obstacle;      // why it cannot be approved as the skill is now; empty: nothing known
};

struct DecisionOnProposal {
  std::string id;
  bool approve = false;
  std::string reason;
  Person reviewer;
  bool evenIfChanged = false; // approve even if what is there has changed since the proposal
  // Refuses the person who made the proposal. False for the user of this machine, who may write to
  // the folder of the skills anyway.
  bool byAnother = true;
  // Digests of what the reviewer was shown: the proposed files, and the skill they were compared
  // with (empty: none). The decision is refused if one of them is another one now. Nothing: it is
  // not compared.
  std::optional<std::string> digest{}, base{};
};

// Its functions read and write files, and wait for other processes for at most 10 seconds. They
// return Unavailable if that was not enough. Any thread. `now` is in Unix seconds.
class ProposalStore {
public:
  explicit ProposalStore(StoreSettings settings) : settings_(std::move(settings)) {}

  // Creates the folder of proposals if it is missing, readable only for its owner. Fails if another
  // user could change it. The other functions call it first.
  Status prepare() const;

  // Stores a proposal. A pending one of the same proposer for the same skill is removed, because
  // the new one replaces it. Fails with RateLimited if there are too many, and with AlreadyExists
  // if the skill is there with exactly these files and `mayCompare` is true. If it is false, the
  // answer is the same whatever is there: `mayCompare` says that the proposer sees the skill.
  Result<Proposal> submit(Submission submission, std::int64_t now, bool mayCompare = true) const;

  // Returns all proposals. Records that cannot be read are logged, too.
  Result<ProposalList> list(std::int64_t now) const;

  // Fails with NotFound if there is no such proposal, and with Corrupt if it is damaged.
  Result<ProposalContent> find(const std::string &id) const;

  // Decides on a pending proposal, and returns it. An approval puts the files in place of the
  // skill; what was there is kept in the folder of the proposal. Fails with Conflict if somebody
  // has decided, what is there has changed since the proposal, the reviewer was shown something
  // else, or the folder has skills of its own or hidden folders; Denied if the reviewer proposed
  // it.
  Result<Proposal> decide(const DecisionOnProposal &decision, std::int64_t now) const;

private:
  struct Locked; // the open folders, under the lock

  Result<Locked> lock() const;
  Status putInPlace(const Locked &locked, int own, const std::string &name, const Files &files,
                    bool isThere) const;

  const StoreSettings settings_;
};

} // namespace skillhost::inbox
