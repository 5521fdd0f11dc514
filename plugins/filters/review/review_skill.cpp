// SPDX-License-Identifier: Apache-2.0
// The tool review_skill is for reviewers, whom the auth plugin identifies. It is not offered to
// agents of other users.
#include "review_skill.hpp"

#include "access/access.hpp"
#include "ground/counted.hpp"
#include "ground/time_reading.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "mcp/source_notices.hpp"
#include "review/expiry.hpp"
#include "review/review_json.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace skillhost {
namespace {

constexpr std::int64_t maxReviewsListed = 200;
constexpr std::size_t longestReasonGiven = 2'000; // bytes

std::string textOfReview(const Review &review) {
  return review.id + ": " + std::string(nameOf(review.judgement.action)) + ", " +
         std::string(nameOf(review.judgement.state)) +
         (review.judgement.reason.empty() ? "" : " (" + review.judgement.reason + ')') +
         (review.examined.digest.empty() ? "; not all of its files can be read"
                                         : "; digest " + review.examined.digest);
}

void listReviews(const ToolCall &tool, Reviews &reviews, std::size_t offset) {
  Json data = reviewsJson(
      reviews, offset,
      std::min<std::size_t>(maxReviewsListed, tool.services().settings.limits.listItems));
  const std::size_t total = data["total"].get<std::size_t>();
  std::string text = counted(total, "skill") + (total == 1 ? " is" : " are") +
                     " withheld or served with a warning";
  for (const Json &one : data["reviews"])
    text += "\n- " + one["id"].get<std::string>() + ": " + one["action"].get<std::string>() + ", " +
            one["reason"].get<std::string>();
  if (data.contains("problem")) text += "\n" + data["problem"].get<std::string>();
  tool.succeed(toolResult(data, text));
}

// Appends to each text that is cut how to request the rest. Returns the number of these texts.
std::size_t markCut(std::vector<FileDifference> &files) {
  std::size_t cut = 0;
  for (FileDifference &file : files) {
    if (!file.next) continue;
    ++cut;
    file.text += "\n… (" + std::to_string(file.rest) +
                 " bytes more: show with path and text_offset " + std::to_string(*file.next) +
                 ")\n";
  }
  return cut;
}

// Answers with the text to be reviewed. One answer cannot contain all of a large skill, and the
// message names what is missing, so that nobody takes it for reviewed.
void tellReview(const ToolCall &tool, SkillDifference &difference, bool isOne) {
  std::vector<FileDifference> &files = difference.files;
  std::string message;
  std::optional<std::size_t> next;
  if (isOne && files.empty())
    return tool.fail({Fault::NotFound, "arguments.path: no such file of the skill has changed"});
  if (isOne) {
    next = files.front().next;
    if (next) message = "the text goes on at text_offset " + std::to_string(*next);
  } else if (const std::size_t cut = markCut(files); cut != 0) {
    message = "not all of it fits into this answer: " + counted(cut, "file") + " of " +
              std::to_string(files.size()) + "; show each of these files with path";
  }
  std::string text = textOfReview(*difference.review);
  if (!message.empty()) (text += '\n') += message;
  for (const Finding &finding : difference.review->findings) text += '\n' + render(finding);
  const PassedOver beside = isOne ? PassedOver{} : passedOver(*difference.review);
  if (const std::string names = textOf(beside); !names.empty())
    text += "\nBeside its files, not reviewed and not in the copy that agents are given: " + names;
  for (const FileDifference &file : files) text += "\n\n" + titleOf(file) + '\n' + file.text;
  Json data = differenceJson(difference);
  if (!message.empty()) data["message"] = message;
  if (next) data["next_offset"] = *next;
  if (!isOne) data["not_reviewed"] = passedOverJson(beside);
  tool.succeed(toolResult(data, text));
}

void showReview(const ToolCall &tool, Reviews &reviews, const std::string &name,
                const std::string &path, std::size_t offset) {
  DifferenceRequest request;
  request.name = name;
  request.path = path;
  request.offset = path.empty() ? 0 : offset;
  request.room = tool.room() / 3; // beside findings, and for what JSON adds
  reviews.compare(std::move(request), tool.options(),
                  [tool, isOne = !path.empty()](Result<SkillDifference> found) {
                    if (!found) return tool.fail(std::move(found).failure());
                    tellReview(tool, *found, isOne);
                  });
}

void writeToAudit(const ToolCall &tool, const Review &review, const DecisionRequest &request) {
  const Call &call = *tool.call();
  const std::string what = std::string(nameOf(request.verdict)) + ' ' + review.examined.digest +
                           (request.reason.empty() ? "" : ": " + request.reason);
  call.services().access->audit().write({.kind = "reviewed",
                                         .reason = what,
                                         .method = call.method(),
                                         .subject = review.id,
                                         .peer = call.requestOrigin().peer,
                                         .principal = call.principal().get()});
}

void tellDecided(const ToolCall &tool, const WrittenDecision &decided, bool isInForce) {
  std::string message = textOfReview(*decided.review);
  if (decided.replaced) message += "; in place of: " + textOf(*decided.replaced);
  if (!isInForce) message += "; the skill is still served for a moment";
  tool.succeed(toolResult(
      Json{{"review", reviewJson(*decided.review, decided.decision.get())}, {"message", message}},
      message));
}

// Answers when the rejected skill is no longer served, or after this time.
void tellOnceWithheld(const ToolCall &tool, Withdrawals &withdrawals,
                      const WrittenDecision &decided) {
  constexpr std::chrono::seconds patience{3};
  withdrawals.await(tool.services(), decided.review->id, Deadline::after(patience),
                    [weak = std::weak_ptr<Call>(tool.call()), decided](bool isGone) {
                      // The session keeps the call until it is finished, so a weak pointer is
                      // enough.
                      if (const CallPointer waiting = weak.lock())
                        tellDecided(ToolCall(waiting, waiting->params()), decided, isGone);
                    });
}

void decideReview(const ToolCall &tool, Reviews &reviews, Withdrawals &withdrawals,
                  const DecisionRequest &request) {
  reviews.decide(request, tool.options(),
                 [tool, request, &withdrawals](const Result<WrittenDecision> &decided) {
                   if (!decided) return tool.fail(decided.failure());
                   writeToAudit(tool, *decided->review, request);
                   notifySourceChanged(tool.services().shared.get(), decided->review->source);
                   if (request.verdict == Verdict::Reject)
                     return tellOnceWithheld(tool, withdrawals, *decided);
                   tellDecided(tool, *decided, true);
                 });
}

} // namespace

void runReviewSkill(const ToolCall &tool, Reviews &reviews, Withdrawals &withdrawals) {
  Arguments arguments(tool.arguments(), {"action", "skill_name", "digest", "reason", "expires",
                                         "offset", "path", "text_offset", "seen"});
  const std::string action = arguments.text("action");
  const auto offset = static_cast<std::size_t>(arguments.integer("offset", 0, 0, INT64_MAX));
  const std::string path = arguments.text("path", "");
  const auto textOffset =
      static_cast<std::size_t>(arguments.integer("text_offset", 0, 0, INT64_MAX));
  const bool lists = action == "list", decides = action == "approve" || action == "reject";
  const std::string name = lists ? arguments.text("skill_name", "") : arguments.text("skill_name");
  // A rejected skill may be one that cannot be read and has no digest.
  const std::string digest =
      action == "approve" ? arguments.text("digest") : arguments.text("digest", "");
  const std::string reason = arguments.text("reason", ""), expires = arguments.text("expires", ""),
                    seen = arguments.text("seen", "");
  if (!arguments.good()) return tool.fail(arguments.failure());
  if (!lists && !decides && action != "show")
    return tool.fail({Fault::InvalidInput, "arguments.action: must be list, show, approve or "
                                           "reject"});
  if (reason.size() > longestReasonGiven)
    return tool.fail({Fault::InvalidInput, "arguments.reason: at most 2,000 bytes"});
  if (lists) return listReviews(tool, reviews, offset);
  if (!decides) return showReview(tool, reviews, name, path, textOffset);
  DecisionRequest request;
  request.name = name;
  request.verdict = action == "approve" ? Verdict::Approve : Verdict::Reject;
  request.digest = digest;
  request.reason = reason;
  if (tool.arguments().contains("seen")) request.seen = seen;
  const PrincipalPointer &who = tool.call()->principal();
  request.who = who ? who->subject : "";
  if (!expires.empty()) {
    const Result<std::int64_t> moment = readExpiry(expires, secondsNow());
    if (!moment)
      return tool.fail({Fault::InvalidInput, "arguments.expires: " + moment.failure().message});
    request.expires = *moment;
  }
  decideReview(tool, reviews, withdrawals, request);
}

constexpr Tool reviewTool{
    "review_skill",
    "Review a skill",
    "List the skills that wait for a decision, show one with its findings and its changes since "
    "the "
    "last decision, or approve or reject it. Decide only what a person has told you to decide.",
    ToolCategory::Scan,
    Permission::Review,
    false,
    R"({"type":"object","properties":{"action":{"enum":["list","show","approve","reject"]},"skill_name":{"type":"string","description":"Which skill, as <source>/<path>. Every action but list needs it."},"digest":{"type":"string","description":"The digest that show gave. approve needs it, reject may leave it out."},"reason":{"type":"string","maxLength":2000},"expires":{"type":"string","description":"When the decision ends: 2027-01-31T12:00:00Z, 2027-01-31, 90d. Default: never."},"offset":{"type":"integer","minimum":0,"description":"For list: how many skills to skip."},"seen":{"type":"string","description":"For approve and reject: the decision.id that show gave, or \"\" if it gave none. The call is then refused if somebody else has decided since."},"path":{"type":"string","description":"For show: tell only about this changed file."},"text_offset":{"type":"integer","minimum":0,"description":"For show with path: how many bytes of its text to skip."}},"required":["action"],"additionalProperties":false})",
    R"({"type":"object","properties":{"approvals":{"type":"string"},"states":{"type":"object"},"actions":{"type":"object"},"total":{"type":"integer"},"reviews":{"type":"array","items":{"type":"object"}},"problem":{"type":"string"},"review":{"type":"object"},"base":{"type":["string","null"]},"files":{"type":"array","items":{"type":"object"}},"not_reviewed":{"type":"object"},"message":{"type":"string"},"next_offset":{"type":"integer"}}})",
    nullptr};

} // namespace skillhost
