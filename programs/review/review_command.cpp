// SPDX-License-Identifier: Apache-2.0
#include "review_command.hpp"

namespace skillhost::app {

CommandDescription reviewDescription(const ArgumentDescription &help,
                                     const ArgumentDescription &json, const char *group) {
  const ArgumentDescription name{{"NAME"}, "TEXT", "<source>/<path>, or its last part."};
  const std::vector<ArgumentDescription> deciding{
      help,
      json,
      {{"--reason"}, "TEXT", "Why, for who reads it later.", group},
      {{"--expires"},
       "WHEN",
       "When the decision ends: 2027-01-31T12:00:00Z, 2027-01-31 (the end of that day, UTC), 90d, "
       "12h or 30m. Default: never.",
       group},
      {{"--who"}, "NAME", "Who has decided. Default: the user who runs this.", group},
      {{"--digest"},
       "DIGEST",
       "Decide only if this is the skill's digest still, as `review show` and `review diff` have "
       "printed it.",
       group},
      {{"--seen"},
       "ID",
       "Decide only if this is the last decision still, by the id that `review show` has printed; "
       "\"\": there was none.",
       group},
      {{"--sign"},
       "FILE",
       "Sign the file of approvals with this secret Ed25519 key, as trust.approvals_keys asks for.",
       group}};
  CommandDescription command{
      "review",
      "Look at the skills that wait for a decision by trust.rules, approve and reject them.",
      true,
      {help}};
  command.position = 1000;
  command.commands = {
      {"list",
       "List the skills that are withheld or served with a warning, and why.",
       true,
       {help, json, {{"--all"}, "", "Those that are simply served, too.", group}}},
      {"show",
       "Show how one skill stands: its files, what lies beside them, its findings and what was "
       "decided.",
       true,
       {help, json},
       {name}},
      {"diff",
       "Show what has changed in a skill since the last decision; all of it when there is none.",
       true,
       {help, json},
       {name}},
      {"approve", "Have a skill served as it is now, to the byte.", true, deciding, {name}},
      {"reject",
       "Withhold a skill, also when it changes, until somebody decides otherwise.",
       true,
       deciding,
       {name}},
      {"sign",
       "Sign the file of approvals as it is now, such as after it was edited by hand.",
       true,
       {help},
       {{{"KEYFILE"}, "FILE", "A secret Ed25519 key; `skillhost key new` makes one."}}},
      {"export",
       "Write all decisions in the form of the file of approvals, also those in the engine that "
       "replicas share.",
       true,
       {help},
       {{{"FILE"}, "FILE", "Where to write them. Default: standard output."}}},
      {"import",
       "Take over the decisions of a file of approvals on skills that have none.",
       true,
       {help},
       {{{"FILE"}, "FILE", "The file."}}},
  };
  return command;
}

} // namespace skillhost::app
