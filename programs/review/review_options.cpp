// SPDX-License-Identifier: Apache-2.0
#include "review_options.hpp"

#include "configuration/paths.hpp"
#include "ground/time_reading.hpp"
#include "review/approvals.hpp"
#include "review/expiry.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>

namespace skillhost::app {
namespace {

// Who runs this, by the system's list of users, which no variable of the environment can change.
std::string userName() {
  std::array<char, 4'096> room{};
  passwd entry{};
  passwd *found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, room.data(), room.size(), &found) == 0 && found != nullptr)
    return found->pw_name;
  return "uid " + std::to_string(::getuid());
}

} // namespace

Result<ReviewInvocation> reviewInvocation(const ParsedArguments &given,
                                          const Surroundings &surroundings) {
  using Action = ReviewInvocation::Action;
  if (given.commands.size() < 2)
    return refusedArguments(given.commands, "say what to do: review list, review show, review "
                                            "diff, review approve, review reject, review sign, "
                                            "review export or review import");
  const std::string &verb = given.commands[1];
  ReviewInvocation review;
  review.action = verb == "list"      ? Action::List
                  : verb == "show"    ? Action::Show
                  : verb == "diff"    ? Action::Diff
                  : verb == "approve" ? Action::Approve
                  : verb == "sign"    ? Action::Sign
                  : verb == "export"  ? Action::Export
                  : verb == "import"  ? Action::Import
                                      : Action::Reject;
  review.json = given.has("--json");
  review.all = given.has("--all");
  const char *const key = review.action == Action::Sign ? "KEYFILE" : "--sign";
  if (given.has(key))
    review.signingKey = absolutePath(given.last(key), surroundings.workingDirectory, surroundings);
  if (review.action == Action::Sign && review.signingKey.empty())
    return refusedArguments(given.commands, "name the file of the key: review sign KEYFILE");
  if (review.action == Action::Sign) return review;
  if (review.action == Action::Export || review.action == Action::Import) {
    if (given.has("FILE"))
      review.file = absolutePath(given.last("FILE"), surroundings.workingDirectory, surroundings);
    if (review.action == Action::Import && review.file.empty())
      return refusedArguments(given.commands, "name the file of approvals: review import FILE");
    return review;
  }
  review.name = given.last("NAME");
  review.digest = given.last("--digest");
  if (given.has("--seen")) review.seen = given.last("--seen");
  review.reason = given.last("--reason");
  review.who = given.has("--who") ? given.last("--who") : userName();
  if (review.action != Action::List && review.name.empty())
    return refusedArguments(given.commands, "name the skill; skillhost review list names all");
  if (review.who.empty()) return refusedArguments(given.commands, "--who: is empty");
  if (review.who.size() > longestReviewer)
    return refusedArguments(given.commands, "--who: is longer than 1,024 bytes");
  if (review.reason.size() > longestDecisionReason)
    return refusedArguments(given.commands, "--reason: is longer than 10,000 bytes");
  if (given.has("--expires")) {
    const Result<std::int64_t> moment = readExpiry(given.last("--expires"), secondsNow());
    if (!moment) return refusedArguments(given.commands, "--expires: " + moment.failure().message);
    review.expires = *moment;
  }
  return review;
}

} // namespace skillhost::app
