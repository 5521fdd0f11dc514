// SPDX-License-Identifier: Apache-2.0
#include "review/review_json.hpp"

#include "ground/shown.hpp"
#include "ground/time_text.hpp"
#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <map>

namespace skillhost {
namespace {

constexpr std::size_t findingsInList = 5; // of each skill; there may be thousands

bool isRetyped(const FileDifference &file) {
  return file.before && file.now && file.before->executable != file.now->executable;
}

Json decisionJson(const Decision &decision) {
  Json out = {{"id", decision.id()},
              {"verdict", nameOf(decision.verdict)},
              {"who", decision.who},
              {"when", timeText(decision.when)}};
  if (!decision.digest.empty()) out["digest"] = decision.digest;
  if (!decision.reason.empty()) out["reason"] = decision.reason;
  if (decision.expires) out["expires"] = timeText(*decision.expires);
  return out;
}

// An executable file may be run without being read. So the old and new state of the executable bit
// are shown beside the text, even if nothing else has changed.
Json fileJson(const FileDifference &file) {
  Json out = {{"path", file.path}, {"change", wordOf(file.kind)}, {"text", mendUtf8(file.text)}};
  if (file.now) {
    out["size"] = file.now->size;
    out["blake3"] = file.now->digest;
    out["executable"] = file.now->executable;
  }
  if (isRetyped(file))
    out["executable"] = {{"from", file.before->executable}, {"to", file.now->executable}};
  return out;
}

} // namespace

Json reviewJson(const Review &review, const Decision *decision, std::size_t maxFindings) {
  Json findings = Json::array();
  for (const Finding &finding : review.findings) {
    if (findings.size() >= maxFindings) break;
    findings.push_back(findingAsJson(finding));
  }
  Json out = {{"id", review.id},
              {"source", review.source},
              {"path", review.path},
              {"action", nameOf(review.judgement.action)},
              {"state", nameOf(review.judgement.state)},
              {"reason", mendUtf8(review.judgement.reason)},
              {"digest", review.examined.digest},
              {"files", review.documents.size()},
              {"signed", review.examined.isSigned},
              {"findings_total", review.findings.size()},
              {"findings", std::move(findings)}};
  if (decision != nullptr) out["decision"] = decisionJson(*decision);
  return out;
}

Json differenceJson(const SkillDifference &difference) {
  Json files = Json::array();
  for (const FileDifference &file : difference.files) files.push_back(fileJson(file));
  Json out = {{"review", reviewJson(*difference.review, difference.decision.get())}};
  out["base"] = difference.base ? Json(difference.base->digest) : Json(nullptr);
  out["files"] = std::move(files);
  return out;
}

Json passedOverJson(const PassedOver &found) {
  Json names = Json::array();
  for (const std::string &name : found.names) names.push_back(mendUtf8(name));
  return {{"names", std::move(names)}, {"complete", found.isAll}};
}

Json reviewsJson(const Reviews &reviews, std::size_t offset, std::size_t limit) {
  std::map<std::string, std::size_t> states, actions;
  Json waiting = Json::array();
  std::size_t place = 0;
  for (const ReviewPointer &review : reviews.list()) {
    ++states[std::string(nameOf(review->judgement.state))];
    ++actions[std::string(nameOf(review->judgement.action))];
    if (!wantsDecision(*review)) continue;
    if (place >= offset && waiting.size() < limit)
      waiting.push_back(reviewJson(*review, reviews.decision(review->id).get(), findingsInList));
    ++place;
  }
  Json out = {{"approvals", reviews.file()},
              {"states", states},
              {"actions", actions},
              {"total", place},
              {"reviews", std::move(waiting)}};
  std::string problem = reviews.problem();
  if (problem.empty()) problem = reviews.sharingProblem();
  if (!problem.empty()) out["problem"] = mendUtf8(problem);
  return out;
}

bool isHeldBack(const Review &review) noexcept {
  return review.judgement.action == TrustAction::Quarantine;
}

std::size_t countWithheld(const Reviews &reviews, std::string_view source) {
  std::size_t count = 0;
  for (const ReviewPointer &review : reviews.list())
    count += isHeldBack(*review) && (source.empty() || review->source == source) ? 1 : 0;
  return count;
}

bool wantsDecision(const Review &review) noexcept {
  return review.judgement.action != TrustAction::Serve;
}

std::string titleOf(const FileDifference &file) {
  std::string title = shownLine(file.path) + " (" + std::string(wordOf(file.kind));
  if (isRetyped(file))
    title += file.now->executable ? ", has become executable" : ", no longer executable";
  else if (file.now && file.now->executable)
    title += ", executable";
  return title + ')';
}

std::string_view wordOf(char kind) noexcept {
  return kind == '+' ? "new" : kind == '-' ? "gone" : "changed";
}

} // namespace skillhost
