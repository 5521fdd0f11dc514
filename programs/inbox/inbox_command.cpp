// SPDX-License-Identifier: Apache-2.0
#include "catalogue_command.hpp"
#include "ground/counted.hpp"
#include "ground/shown.hpp"
#include "ground/time_reading.hpp"
#include "ground/time_text.hpp"
#include "host.hpp"
#include "inbox/configured.hpp"
#include "inbox/proposal_difference.hpp"
#include "inbox_options.hpp"
#include "json_output.hpp"
#include "known_configuration.hpp"
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::app {
namespace {

using InboxAction = InboxInvocation::Action;

int refuseInbox(const std::string &why) {
  printShown(stderr, "skillhost: %s\n", why.c_str());
  return 1;
}

void printProposal(const inbox::Proposal &proposal) {
  printShown(stdout, "%s  %-8s  %s, by %s on %s%s%s\n", proposal.id.c_str(),
             std::string(inbox::nameOf(proposal.state)).c_str(), proposal.name.c_str(),
             shownLine(inbox::nameOf(proposal.proposer)).c_str(), timeText(proposal.when).c_str(),
             proposal.note.empty() ? "" : ": ", shownLine(proposal.note).c_str());
  if (proposal.state != inbox::State::Pending)
    printShown(stdout, "  decided by %s on %s%s%s\n",
               shownLine(inbox::nameOf(proposal.reviewer)).c_str(),
               timeText(proposal.decided).c_str(), proposal.reason.empty() ? "" : ": ",
               shownLine(proposal.reason).c_str());
}

int listProposals(const inbox::ProposalStore &store, const InboxInvocation &invocation) {
  const auto all = store.list(secondsNow());
  if (!all) return refuseInbox(all.failure().message);
  Json unreadable = Json::array();
  for (const auto &one : all->unreadable) {
    unreadable.push_back({{"id", one.id}, {"reason", one.why}});
    printShown(stderr, "skillhost: %s\n", one.why.c_str());
  }
  Json list = Json::array();
  std::size_t waiting = 0;
  for (const inbox::Proposal &one : all->proposals) {
    const bool waits = one.state == inbox::State::Pending;
    waiting += waits ? 1 : 0;
    if (!waits && !invocation.all) continue;
    if (invocation.json) {
      Json summary = inbox::proposalJson(one);
      summary.erase("findings"); // the list does not have them
      list.push_back(std::move(summary));
    } else {
      printProposal(one);
    }
  }
  if (invocation.json)
    printJson({{"proposals", std::move(list)}, {"unreadable", std::move(unreadable)}});
  else
    printShown(
        stdout, "%s %s for a decision%s\n", counted(waiting, "proposal").c_str(),
        waiting == 1 ? "waits" : "wait",
        all->unreadable.empty()
            ? ""
            : ("; " + counted(all->unreadable.size(), "proposal") + " cannot be read").c_str());
  return all->unreadable.empty() ? 0 : 1;
}

void printDifference(const std::vector<inbox::FileChange> &changes) {
  for (const inbox::FileChange &one : changes) {
    printShown(stdout, "--- %s\n", shownLine(titleOf(one)).c_str());
    // Even what is behind a NUL is printed, because hidden parts might be executed.
    const std::string shown = shownText(one.text);
    std::fwrite(shown.data(), 1, shown.size(), stdout);
  }
}

int showProposal(const inbox::ProposalStore &store, const InboxInvocation &invocation) {
  const auto found = store.find(invocation.id);
  if (!found) return refuseInbox(found.failure().message);
  const std::vector<inbox::FileChange> changes =
      changesOf(found->before ? *found->before : inbox::Files{}, found->files);
  if (invocation.json) {
    Json files = Json::array();
    for (const inbox::FileChange &one : changes) files.push_back(fileJson(one));
    printJson({{"proposal", inbox::proposalJson(found->proposal)},
               {"change", found->before.has_value() || found->isUnreadable},
               {"base", found->base},
               {"outdated", found->isOutdated},
               {"obstacle", found->obstacle},
               {"files", std::move(files)}});
    return 0;
  }
  printProposal(found->proposal);
  printShown(stdout, "  digest %s\n", found->proposal.digest.c_str());
  if (!found->obstacle.empty())
    printShown(stdout, "  an approval is refused: %s\n", found->obstacle.c_str());
  if (found->isOutdated) printShown(stdout, "  the skill has changed since the proposal\n");
  for (const Json &one : found->proposal.findings)
    printShown(stdout, "%s: %s: %s\n", one.value("file", "").c_str(),
               one.value("severity", "").c_str(), one.value("reason", "").c_str());
  printDifference(changes);
  return 0;
}

// Returns why the name cannot be approved; empty if it can.
std::string obstacleToApproval(const Configuration &configuration, const Surroundings &surroundings,
                               const inbox::InboxSettings &settings, const std::string &name) {
  Configuration asked = configuration;
  asked.keepGoing = true; // a source that fails must not stand in the way of a decision
  Host host(asked, surroundings.executable, builtForHosts());
  host.waitUntilReady(false);
  const auto entry = changedEntry(settings, *host.library().catalogue(), name);
  return entry ? "" : entry.failure().message;
}

int decideOn(const inbox::ProposalStore &store, const inbox::InboxSettings &settings,
             const InboxInvocation &invocation, const Configuration &configuration,
             const Surroundings &surroundings) {
  if (invocation.action == InboxAction::Approve) {
    const auto found = store.find(invocation.id);
    if (!found) return refuseInbox(found.failure().message);
    const std::string why =
        obstacleToApproval(configuration, surroundings, settings, found->proposal.name);
    if (!why.empty()) return refuseInbox(why);
  }
  inbox::DecisionOnProposal decision;
  decision.id = invocation.id;
  decision.approve = invocation.action == InboxAction::Approve;
  decision.reason = invocation.reason;
  decision.reviewer = {"", invocation.who};
  decision.evenIfChanged = invocation.evenIfChanged;
  decision.byAnother = false;
  const auto decided = store.decide(decision, secondsNow());
  if (!decided) return refuseInbox(decided.failure().message);
  if (invocation.json)
    printJson(inbox::proposalJson(*decided));
  else
    printProposal(*decided);
  return 0;
}

// Needs no running server; a running one notices the new files of its source. Returns 1 if nothing
// was written, or the proposals cannot be read.
int useInbox(const ParsedArguments &arguments, const Surroundings &surroundings) {
  const Result<InboxInvocation> invocation = inboxInvocation(arguments);
  if (!invocation) return programs::refuse(invocation.failure());
  const Result<KnownConfiguration> known = knownConfiguration(arguments, surroundings);
  if (!known) return programs::refuse(known.failure());
  const CommandLog log(*known, surroundings);
  const Configuration &configuration = known->configuration;
  std::optional<inbox::InboxSettings> settings;
  try {
    settings = inbox::inboxSettings(configuration);
  } catch (const std::runtime_error &why) {
    return refuseInbox(why.what());
  }
  if (!settings) return refuseInbox("nobody can propose skills: set inbox.folder and inbox.source");
  const inbox::ProposalStore store(settings->store);
  switch (invocation->action) {
  case InboxAction::List:
    return listProposals(store, *invocation);
  case InboxAction::Show:
    return showProposal(store, *invocation);
  case InboxAction::Approve:
  case InboxAction::Reject:
    break;
  }
  return decideOn(store, *settings, *invocation, configuration, surroundings);
}

} // namespace

CatalogueCommand inboxCommand() { return {{inboxDescription()}, useInbox}; }

} // namespace skillhost::app
