// SPDX-License-Identifier: Apache-2.0
#include "catalogue_command.hpp"
#include "failed_sources.hpp"
#include "ground/await.hpp"
#include "ground/counted.hpp"
#include "ground/replace_file.hpp"
#include "ground/shown.hpp"
#include "ground/time_text.hpp"
#include "host.hpp"
#include "json_output.hpp"
#include "known_configuration.hpp"
#include "program.hpp"
#include "review/approvals_signature.hpp"
#include "review/configured.hpp"
#include "review/feature.hpp"
#include "review/review_json.hpp"
#include "review_options.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

namespace skillhost::app {
namespace {

using Action = ReviewInvocation::Action;

int refuseReview(const std::string &why) {
  printShown(stderr, "skillhost: %s\n", why.c_str());
  return 1;
}

// Prints the text even behind a NUL, because hidden parts might be executed.
void printWhole(std::string_view text) {
  const std::string shown = shownText(text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
}

void printLine(const Review &review) {
  printShown(stdout, "%-10s %-8s  %s%s%s\n", std::string(nameOf(review.judgement.action)).c_str(),
             std::string(nameOf(review.judgement.state)).c_str(), shownLine(review.id).c_str(),
             review.judgement.reason.empty() ? "" : ": ",
             shownLine(review.judgement.reason).c_str());
}

int listAll(Host &host, const Reviews &reviews, const ReviewInvocation &invocation) {
  Json all = Json::array();
  std::size_t waiting = 0;
  for (const ReviewPointer &review : reviews.list()) {
    if (!invocation.all && !wantsDecision(*review)) continue;
    // A rejected skill is listed, because it is withheld, and waits for nobody.
    const bool isRejected = review->judgement.state == ReviewState::Rejected;
    waiting += wantsDecision(*review) && !isRejected ? 1 : 0;
    if (invocation.json)
      all.push_back(reviewJson(*review, reviews.decision(review->id).get()));
    else
      printLine(*review);
  }
  if (invocation.json)
    printJson({{"approvals", reviews.file()}, {"reviews", std::move(all)}});
  else
    printShown(stdout, "%s %s for a decision\n", counted(waiting, "skill").c_str(),
               waiting == 1 ? "waits" : "wait");
  // The skills of a source that failed may be missing in the list.
  const bool isIncomplete = reportFailed(*host.library().catalogue());
  const std::string problem = reviews.problem();
  if (!problem.empty()) return refuseReview(problem);
  return isIncomplete ? 1 : 0;
}

void printReview(const Review &review, const Decision *decision) {
  printLine(review);
  if (review.examined.digest.empty())
    printShown(stdout, "  not all of its files can be read: it cannot be approved\n");
  else
    printShown(stdout, "  digest   %s\n", review.examined.digest.c_str());
  if (decision != nullptr)
    printShown(stdout, "  decided  %s by %s on %s%s%s (%s)\n",
               std::string(nameOf(decision->verdict)).c_str(), shownLine(decision->who).c_str(),
               timeText(decision->when).c_str(), decision->expires ? ", until " : "",
               decision->expires ? timeText(*decision->expires).c_str() : "",
               decision->id().c_str());
  printShown(stdout, "  signed   %s\n",
             review.examined.isSigned ? "by a trusted key" : "by no trusted key");
  for (const auto &[path, file] : review.files())
    printShown(stdout, "  file     %s (%s%s)\n", shownLine(path).c_str(),
               counted(file.size, "byte").c_str(), file.executable ? ", executable" : "");
  if (const std::string beside = textOf(passedOver(review)); !beside.empty())
    printShown(stdout, "  beside   %s: not reviewed, and not in the copy that agents are given\n",
               beside.c_str());
  for (const Finding &finding : review.findings)
    printShown(stdout, "%s\n", render(finding).c_str());
}

// Returns an exit code if the decisions cannot be read, because the output is then incomplete.
int refuseUnreadable(const Reviews &reviews) {
  const std::string problem = reviews.problem();
  return problem.empty() ? 0 : refuseReview(problem);
}

int showOne(const Reviews &reviews, const ReviewInvocation &invocation) {
  const Result<ReviewPointer> review = reviews.find(invocation.name);
  if (!review) return refuseReview(review.failure().message);
  const std::shared_ptr<const Decision> decision = reviews.decision((*review)->id);
  if (invocation.json) {
    Json shown = reviewJson(**review, decision.get());
    shown["not_reviewed"] = passedOverJson(passedOver(**review));
    printJson(shown);
  } else {
    printReview(**review, decision.get());
  }
  return refuseUnreadable(reviews);
}

CallOptions callWithin(std::chrono::milliseconds timeout) {
  CallOptions options;
  options.deadline = Deadline::after(timeout);
  return options;
}

Result<SkillDifference> differ(Reviews &reviews, const std::string &skill,
                               std::chrono::milliseconds timeout, const std::string &path = {}) {
  DifferenceRequest request;
  request.name = skill;
  request.path = path;
  return awaitAnswer<Result<SkillDifference>>([&](ResultCallback<SkillDifference> answer) {
    reviews.compare(std::move(request), callWithin(timeout), std::move(answer));
  });
}

// Fetches the files that were left out for their size, one after another.
Status fillIn(Reviews &reviews, const std::string &skill, std::chrono::milliseconds timeout,
              const SkillDifference &difference, FileDifference &file) {
  if (!file.next) return Done{};
  Result<SkillDifference> one = differ(reviews, skill, timeout, file.path);
  if (!one) return std::move(one).failure();
  if (one->review->examined.digest != difference.review->examined.digest || one->files.size() != 1)
    return {Fault::Conflict, difference.review->id + ": its content has changed; ask again"};
  file = std::move(one->files.front());
  return Done{};
}

void printHead(const SkillDifference &difference) {
  const std::string &id = difference.review->id;
  if (difference.review->judgement.state == ReviewState::Unknown)
    printShown(stdout, "%s: what was decided on it is not known\n", shownLine(id).c_str());
  else if (!difference.base)
    printShown(stdout, "%s: nobody has decided on its content yet, so all of it is new\n",
               shownLine(id).c_str());
  else if (difference.files.empty())
    printShown(stdout, "%s is as it was %s on %s\n", shownLine(id).c_str(),
               difference.base->verdict == Verdict::Approve ? "approved" : "rejected",
               timeText(difference.base->when).c_str());
  printShown(stdout, "digest %s\n", difference.review->examined.digest.c_str());
}

int showDifference(Reviews &reviews, const ReviewInvocation &invocation,
                   std::chrono::milliseconds timeout) {
  const Result<SkillDifference> found = differ(reviews, invocation.name, timeout);
  if (!found) return refuseReview(found.failure().message);
  SkillDifference difference = *found;
  if (!invocation.json) printHead(difference);
  for (FileDifference &file : difference.files) {
    if (const Status whole = fillIn(reviews, invocation.name, timeout, difference, file); !whole)
      return refuseReview(whole.failure().message);
    if (invocation.json) continue;
    printShown(stdout, "--- %s\n", titleOf(file).c_str());
    printWhole(file.text);
    file.text.clear(); // keeps only one long text in memory
  }
  if (invocation.json) printJson(differenceJson(difference));
  return refuseUnreadable(reviews);
}

void printDecided(const WrittenDecision &decided, const std::string &file) {
  const Review &review = *decided.review;
  printShown(stdout, "%s is %s: %s, written to %s\n", shownLine(review.id).c_str(),
             decided.decision->verdict == Verdict::Approve ? "approved" : "rejected",
             review.examined.digest.empty() ? "not all of its files can be read"
                                            : review.examined.digest.c_str(),
             file.c_str());
  if (decided.replaced)
    printShown(stdout, "  in place of: %s\n", shownLine(textOf(*decided.replaced)).c_str());
}

// A rejection applies to the content, so tell the reviewer which other skills it withholds.
void printAlike(const Reviews &reviews, const Review &rejected) {
  if (rejected.examined.digest.empty()) return;
  for (const ReviewPointer &other : reviews.list())
    if (other->id != rejected.id && other->examined.digest == rejected.examined.digest)
      printShown(stderr,
                 "skillhost: %s has the same content and is withheld too; to serve it, approve it "
                 "again\n",
                 shownLine(other->id).c_str());
}

int decideOne(Reviews &reviews, const ReviewInvocation &invocation,
              std::chrono::milliseconds timeout) {
  DecisionRequest request;
  request.name = invocation.name;
  request.verdict = invocation.action == Action::Approve ? Verdict::Approve : Verdict::Reject;
  request.digest = invocation.digest;
  request.who = invocation.who;
  request.reason = invocation.reason;
  request.expires = invocation.expires;
  request.seen = invocation.seen;
  if (!invocation.signingKey.empty()) {
    Result<SigningKey> key = readSigningKey(invocation.signingKey);
    if (!key) return refuseReview("--sign: " + key.failure().message);
    request.key = std::make_shared<const SigningKey>(*std::move(key));
  }
  std::error_code unknown;
  // The command cannot know whether there were decisions before.
  const bool isBegun = reviews.decisionsPlace() == reviews.file() &&
                       !std::filesystem::exists(reviews.file(), unknown) && !unknown;
  const Result<WrittenDecision> decided =
      awaitAnswer<Result<WrittenDecision>>([&](ResultCallback<WrittenDecision> answer) {
        reviews.decide(request, callWithin(timeout), std::move(answer));
      });
  if (!decided) return refuseReview(decided.failure().message);
  if (invocation.json)
    printJson(reviewJson(*decided->review, decided->decision.get()));
  else
    printDecided(*decided, reviews.decisionsPlace());
  if (isBegun)
    printShown(stderr,
               "skillhost: there was no %s, so a new one was begun: if there were decisions "
               "before, restore them\n",
               reviews.file().c_str());
  if (invocation.action == Action::Reject) printAlike(reviews, *decided->review);
  if (invocation.action == Action::Approve && invocation.digest.empty())
    printShown(stderr, "skillhost: approved is what the source gave just now; to approve what was "
                       "looked at alone, name the digest of `review diff` with --digest\n");
  return 0;
}

// Writes a copy for version control, or for a service without an engine.
int exportAll(Reviews &reviews, const std::string &file) {
  const Result<Done> fresh = awaitAnswer<Result<Done>>([&](const ResultCallback<Done> &answer) {
    reviews.refresh([answer](const Status &status) { answer(status); });
  });
  if (!fresh)
    return refuseReview("the decisions of the engine cannot be read now: " +
                        fresh.failure().message);
  if (const int unreadable = refuseUnreadable(reviews); unreadable != 0) return unreadable;
  const std::shared_ptr<const Approvals> all = reviews.approvals();
  const std::string text = all->text();
  if (file.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
  }
  if (const Status written = replaceFile(file, text); !written)
    return refuseReview(written.failure().message);
  printShown(stdout, "%s from %s, in %s\n", counted(all->skills.size(), "decision").c_str(),
             reviews.decisionsPlace().c_str(), file.c_str());
  return 0;
}

int importAll(Reviews &reviews, const std::string &file) {
  const Result<Approvals> approvals = Approvals::read(file);
  if (!approvals) return refuseReview(approvals.failure().message);
  const Result<std::vector<std::string>> others = awaitAnswer<Result<std::vector<std::string>>>(
      [&](ResultCallback<std::vector<std::string>> answer) {
        reviews.importApprovals(*approvals, std::move(answer));
      });
  if (!others) return refuseReview(others.failure().message);
  printShown(stdout, "%s of %s in %s\n",
             counted(approvals->skills.size() - others->size(), "decision").c_str(), file.c_str(),
             reviews.decisionsPlace().c_str());
  for (const std::string &skill : *others)
    printShown(stderr, "skillhost: %s has another decision, which stays\n",
               shownLine(skill).c_str());
  return others->empty() ? 0 : 1;
}

// A signature makes the decisions count, so an unreadable file is not signed.
int signFile(const FeatureSettings &settings, const std::string &keyFile) {
  const std::string file = approvalsFile(settings);
  const Result<ApprovalsKeys> keys = approvalsKeys(settings);
  if (!keys) return refuseReview(keys.failure().message);
  const Result<SigningKey> key = readSigningKey(keyFile);
  if (!key) return refuseReview(key.failure().message);
  if (!keys->empty() && !keys->has(key->publicKey()))
    return refuseReview(keyFile + ": its public half is not among trust.approvals_keys, so its "
                                  "signature would not count: nothing was signed");
  const Result<Approvals> signedNow = signApprovals(file, *key);
  if (!signedNow) return refuseReview(signedNow.failure().message + ": nothing was signed");
  printShown(stdout, "%s: %s signed, in %s\n", file.c_str(),
             counted(signedNow->skills.size(), "decision").c_str(), signatureFileOf(file).c_str());
  return 0;
}

// Needs no running server; a running one notices the changed file. Returns 1 if a source cannot be
// asked, the skill does not exist, or nothing was written.
int reviewSkills(const ParsedArguments &arguments, const Surroundings &surroundings) {
  const Result<ReviewInvocation> invocation = reviewInvocation(arguments, surroundings);
  if (!invocation) return programs::refuse(invocation.failure());
  const Result<KnownConfiguration> known = knownConfiguration(arguments, surroundings);
  if (!known) return programs::refuse(known.failure());
  const CommandLog log(*known, surroundings);
  Configuration configuration = known->configuration;
  // The list names the sources that fail, and has the skills of the others.
  if (invocation->action == Action::List) configuration.keepGoing = true;
  if (trustRules(configuration.features).empty())
    return refuseReview("there are no rules of trust, so everything is served and nothing waits "
                        "for a decision: write trust.rules, such as [{sources: [community], "
                        "action: quarantine}]");
  if (invocation->action == Action::Sign)
    return signFile(configuration.features, invocation->signingKey);
  std::shared_ptr<Reviews> made; // the host makes it, and it ends first
  Host host(configuration, surroundings.executable, keepingReviews(builtForHosts(), made));
  host.waitUntilReady(false);
  Reviews &reviews = *made;
  switch (invocation->action) {
  case Action::List:
    return listAll(host, reviews, *invocation);
  case Action::Show:
    return showOne(reviews, *invocation);
  case Action::Diff:
    return showDifference(reviews, *invocation, configuration.deadlines.scan);
  case Action::Export:
    return exportAll(reviews, invocation->file);
  case Action::Import:
    return importAll(reviews, invocation->file);
  case Action::Approve:
  case Action::Reject:
  case Action::Sign: // handled above
    break;
  }
  return decideOne(reviews, *invocation, configuration.deadlines.scan);
}

} // namespace

CatalogueCommand reviewCommand() { return {{reviewDescription()}, reviewSkills}; }

} // namespace skillhost::app
