// SPDX-License-Identifier: Apache-2.0
#include "review_options.hpp"

#include "ground/time_reading.hpp"
#include "review/approvals.hpp"
#include "review/expiry.hpp"
#include "settings/paths.hpp"
#include "user_name.hpp"

namespace skillhost::app {

CommandDescription reviewDescription() {
  const ArgumentDescription help = helpOption();
  const ArgumentDescription json = jsonOption();
  const ArgumentDescription name{{"NAME"}, "TEXT", "<source>/<path>, or its last part."};
  const std::vector<ArgumentDescription> deciding{
      help,
      json,
      {{"--reason"}, "TEXT", "The reason, for people who read the decision later.", generalOptions},
      {{"--expires"},
       "WHEN",
       "When the decision ends: 2027-01-31T12:00:00Z, 2027-01-31 (the end of that day, UTC), 90d, "
       "12h or 30m. Default: never.",
       generalOptions},
      {{"--who"}, "NAME", "Who decided. Default: the user who runs this command.", generalOptions},
      {{"--digest"},
       "DIGEST",
       "Decide only if the skill still has this digest, which `review show` and `review diff` "
       "print.",
       generalOptions},
      {{"--seen"},
       "ID",
       "Decide only if this is still the last decision; `review show` prints its id. \"\": there "
       "was no decision.",
       generalOptions},
      {{"--sign"},
       "FILE",
       "Sign the file of approvals with this secret Ed25519 key, as trust.approvals_keys requires.",
       generalOptions}};
  CommandDescription command{
      "review",
      "List the skills that trust.rules hold back for a decision, approve and reject them.",
      true,
      {help}};
  command.position = 1000;
  command.commands = {
      {"list",
       "List the skills that are withheld or served with a warning, and why.",
       true,
       {help,
        json,
        {{"--all"},
         "",
         "Also list the skills that are served without a warning.",
         generalOptions}}},
      {"show",
       "Show the state of one skill: its files, what lies beside them, its findings and its "
       "decision.",
       true,
       {help, json},
       {name}},
      {"diff",
       "Show what has changed in a skill since the last decision; all of it when there is none.",
       true,
       {help, json},
       {name}},
      {"approve",
       "Approve a skill as it is now; after a change the rules of trust apply again.",
       true,
       deciding,
       {name}},
      {"reject",
       "Reject a skill; it stays withheld, also if it changes, until somebody decides otherwise.",
       true,
       deciding,
       {name}},
      {"sign",
       "Sign the file of approvals as it is now, for instance after you edited it by hand.",
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
       "Import the decisions of a file of approvals on skills that have no decision yet.",
       true,
       {help},
       {{{"FILE"}, "FILE", "The file."}}},
  };
  return command;
}

Result<ReviewInvocation> reviewInvocation(const ParsedArguments &arguments,
                                          const Surroundings &surroundings) {
  using Action = ReviewInvocation::Action;
  if (arguments.commands.size() < 2)
    return refusedArguments(arguments.commands,
                            "choose a command: review list, review show, review diff, review "
                            "approve, review reject, review sign, review export or review import");
  const std::string &verb = arguments.commands[1];
  ReviewInvocation review;
  review.action = verb == "list"      ? Action::List
                  : verb == "show"    ? Action::Show
                  : verb == "diff"    ? Action::Diff
                  : verb == "approve" ? Action::Approve
                  : verb == "sign"    ? Action::Sign
                  : verb == "export"  ? Action::Export
                  : verb == "import"  ? Action::Import
                                      : Action::Reject;
  review.json = arguments.has("--json");
  review.all = arguments.has("--all");
  const char *const key = review.action == Action::Sign ? "KEYFILE" : "--sign";
  if (arguments.has(key))
    review.signingKey =
        absolutePath(arguments.last(key), surroundings.workingDirectory, surroundings);
  if (review.action == Action::Sign && review.signingKey.empty())
    return refusedArguments(arguments.commands, "name the file of the key: review sign KEYFILE");
  if (review.action == Action::Sign) return review;
  if (review.action == Action::Export || review.action == Action::Import) {
    if (arguments.has("FILE"))
      review.file =
          absolutePath(arguments.last("FILE"), surroundings.workingDirectory, surroundings);
    if (review.action == Action::Import && review.file.empty())
      return refusedArguments(arguments.commands, "name the file of approvals: review import FILE");
    return review;
  }
  review.name = arguments.last("NAME");
  review.digest = arguments.last("--digest");
  if (arguments.has("--seen")) review.seen = arguments.last("--seen");
  review.reason = arguments.last("--reason");
  review.who = arguments.has("--who") ? arguments.last("--who") : userName();
  if (review.action != Action::List && review.name.empty())
    return refusedArguments(arguments.commands, "name the skill; skillhost review list names all");
  if (review.who.empty()) return refusedArguments(arguments.commands, "--who: is empty");
  if (review.who.size() > maxReviewerBytes)
    return refusedArguments(arguments.commands, "--who: is longer than 1,024 bytes");
  if (review.reason.size() > maxDecisionReasonBytes)
    return refusedArguments(arguments.commands, "--reason: is longer than 10,000 bytes");
  if (arguments.has("--expires")) {
    const Result<std::int64_t> moment = readExpiry(arguments.last("--expires"), secondsNow());
    if (!moment)
      return refusedArguments(arguments.commands, "--expires: " + moment.failure().message);
    review.expires = *moment;
  }
  return review;
}

} // namespace skillhost::app
