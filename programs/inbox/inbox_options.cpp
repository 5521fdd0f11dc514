// SPDX-License-Identifier: Apache-2.0
#include "inbox_options.hpp"

#include "user_name.hpp"

#include <vector>

namespace skillhost::app {

CommandDescription inboxDescription() {
  const ArgumentDescription help = helpOption();
  const ArgumentDescription json = jsonOption();
  const ArgumentDescription id{
      {"ID"}, "TEXT", "The id of the proposal, which `inbox list` prints."};
  const std::vector<ArgumentDescription> deciding{
      help,
      json,
      {{"--reason"}, "TEXT", "The reason, for the proposer.", generalOptions},
      {{"--who"}, "NAME", "Who decided. Default: the user who runs this command.", generalOptions}};
  std::vector<ArgumentDescription> approving = deciding;
  approving.push_back({{"--even-if-changed"},
                       "",
                       "Approve even if the skill has changed since the proposal.",
                       generalOptions});
  CommandDescription command{
      "inbox",
      "List the skills that callers have proposed (inbox.folder), approve and reject them.",
      true,
      {help}};
  command.position = 1010;
  command.commands = {
      {"list",
       "List the proposals that wait for a decision, the newest first.",
       true,
       {help, json, {{"--all"}, "", "Also list the decided proposals.", generalOptions}}},
      {"show",
       "Show a proposal with its findings and its difference to the present skill.",
       true,
       {help, json},
       {id}},
      {"approve",
       "Approve a proposal: its files are put in place of the skill, and then served.",
       true,
       approving,
       {id}},
      {"reject", "Reject a proposal; it is never served.", true, deciding, {id}},
  };
  return command;
}

Result<InboxInvocation> inboxInvocation(const ParsedArguments &arguments) {
  using Action = InboxInvocation::Action;
  constexpr std::size_t maxReasonBytes = 2'000, maxNameBytes = 1'024;
  if (arguments.commands.size() < 2)
    return refusedArguments(arguments.commands, "choose a command: inbox list, inbox show, inbox "
                                                "approve or inbox reject");
  const std::string &verb = arguments.commands[1];
  InboxInvocation inbox;
  inbox.action = verb == "list"      ? Action::List
                 : verb == "show"    ? Action::Show
                 : verb == "approve" ? Action::Approve
                                     : Action::Reject;
  inbox.json = arguments.has("--json");
  inbox.all = arguments.has("--all");
  inbox.id = arguments.last("ID");
  inbox.reason = arguments.last("--reason");
  inbox.who = arguments.has("--who") ? arguments.last("--who") : userName();
  inbox.evenIfChanged = arguments.has("--even-if-changed");
  if (inbox.action != Action::List && inbox.id.empty())
    return refusedArguments(arguments.commands,
                            "name the proposal; skillhost inbox list prints the ids");
  if (inbox.who.empty() || inbox.who.size() > maxNameBytes)
    return refusedArguments(arguments.commands, "--who: must have 1 to 1,024 bytes");
  if (inbox.reason.size() > maxReasonBytes)
    return refusedArguments(arguments.commands, "--reason: is longer than 2,000 bytes");
  return inbox;
}

} // namespace skillhost::app
