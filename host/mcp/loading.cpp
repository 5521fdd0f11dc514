// SPDX-License-Identifier: Apache-2.0
#include "loading.hpp"

#include "ground/utf8.hpp"
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "skill_texts.hpp"
#include "skillmd/naming.hpp"
#include "skills/source_skills.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace skillhost {
namespace {

constexpr std::chrono::milliseconds pauseBeforeRetry{1000};
constexpr std::size_t maxStatedFailures = 20, maxLeftOut = 100;
constexpr std::size_t maxLeftOutBytes = std::size_t{32} << 10U; // of names and paths

std::size_t skillsIn(const Catalogue &seen) { return seen.entries().size(); }

// "The skills are still loading: 12 so far, 1 of 3 sources has answered." Empty if all are there.
std::string loadingWords(const Call &call, const Catalogue &seen) {
  const Loading &loading = seen.loading();
  if (!loading.isInProgress)
    return call.services().pluginTools.ready() ? "" : "The tools of plugins are still loading.";
  std::string words = "The skills are still loading: " + std::to_string(skillsIn(seen)) + " so far";
  if (loading.sources > 1)
    words += ", " + std::to_string(loading.answered) + " of " + std::to_string(loading.sources) +
             " sources " + (loading.answered == 1 ? "has" : "have") + " answered";
  return words + '.';
}

// Returns the same for programs.
Json loadingFacts(const Call &call, const Catalogue &seen) {
  const Loading &loading = seen.loading();
  Json facts{{"loading", true}, {"skills", skillsIn(seen)}};
  // The further figures include hidden skills.
  if (!call.seesAll()) return facts;
  if (loading.sources != 0)
    facts["sources"] = {{"answered", loading.answered}, {"total", loading.sources}};
  const ListingProgress::State progress = call.services().library.progress().now();
  if (progress.done != 0) {
    facts["progress"] = {{"done", progress.done}};
    if (progress.total != 0) facts["progress"]["total"] = progress.total;
  }
  return facts;
}

// Returns the code of the finding that says why the skill is not served.
std::string faultOf(const Skill &skill) {
  for (const Finding &finding : skill.findings)
    if (finding.severity == Severity::Error) return finding.code;
  return nameTakenCode;
}

// Returns the first sources that failed, and the skills that are left out, for programs. A caller
// who may not manage gets no reasons of sources. Of skills everybody gets only a code, because
// findings may have paths. `leftOut` are further such skills.
Json failureFacts(const Call &call, const Catalogue &seen, std::vector<LeftOutSkill> leftOut) {
  Json failures = Json::array();
  for (const SourceStatus &source : seen.sources()) {
    if (source.failure.empty()) continue;
    if (failures.size() == maxStatedFailures) break;
    Json one{{"source", source.name}, {"retryable", !source.isAbsent}};
    if (mayManage(call)) one["message"] = cutUtf8(source.reason(), 300);
    failures.push_back(std::move(one));
  }
  for (const auto &skill : seen.leftOut()) leftOut.push_back({skill, faultOf(*skill)});
  // A skill that may soon be back must be among the named ones, because a client must not keep the
  // list then.
  std::stable_partition(leftOut.begin(), leftOut.end(),
                        [](const LeftOutSkill &one) { return one.why == unreadableCode; });
  std::map<std::string, std::size_t> more; // by source
  std::size_t named = 0, room = maxLeftOutBytes;
  for (const auto &[skill, why] : leftOut) {
    const std::size_t bytes = skill->fields.name.size() + skill->id.size();
    if (named == maxLeftOut || bytes > room) {
      ++more[skill->source];
      continue;
    }
    ++named;
    room -= bytes;
    failures.push_back({{"skill", skill->fields.name},
                        {"uri", std::string(skillScheme) + encodePath(skill->id)},
                        {"reason", why},
                        {"retryable", why == unreadableCode}});
  }
  for (const auto &[source, count] : more)
    failures.push_back(
        {{"uri", std::string(skillScheme) + encodePath(source) + '/'}, {"more_skills", count}});
  return failures;
}

// Returns a sentence for each failed source that the caller may see, by its name; a caller who may
// not manage gets no reasons.
std::map<std::string, std::string> failedSources(const Call &call) {
  std::map<std::string, std::string> failed;
  const auto seen = call.catalogue();
  for (const SourceStatus &source : seen->sources()) {
    if (source.failure.empty()) continue;
    std::string words =
        "The source " + source.name + (source.isAbsent ? " is left out" : " failed");
    if (mayManage(call)) (words += " (") += std::string(cutUtf8(source.reason(), 300)) + ')';
    words += source.isAbsent      ? ": its skills are missing until the operator fixes that."
             : source.skills == 0 ? ": its skills are missing."
                                  : ": its skills may be out of date.";
    failed.emplace(source.name, std::move(words));
  }
  return failed;
}

void append(std::string &text, const std::string &sentence) {
  if (sentence.empty()) return;
  if (!text.empty()) text += ' ';
  text += sentence;
}

std::string newlyFailed(const ToolCall &tool) {
  const std::map<std::string, std::string> failed = failedSources(*tool.call());
  std::string words;
  tool.session().reportedFailures.with([&](std::set<std::string> &told) {
    // A source that works again is reported when it fails the next time.
    std::erase_if(told, [&](const std::string &name) { return !failed.contains(name); });
    for (const auto &[name, sentence] : failed)
      if (told.insert(name).second) append(words, sentence);
  });
  return words;
}

} // namespace

void noteWhatIsMissing(const ToolCall &tool, const Catalogue &seen, ToolResult &result,
                       const std::string &further) {
  if (seen.loading().isInProgress) append(result.notice, loadingWords(*tool.call(), seen));
  append(result.notice, further);
  result.partial = !result.notice.empty();
  if (result.partial) append(result.notice, "Ask again in a moment for the rest.");
  append(result.notice, newlyFailed(tool));
}

void failTemporarily(const ToolCall &tool, const Catalogue &seen, const std::string &words) {
  tool.fail({Fault::Unavailable, words + " Try again in a moment."},
            loadingFacts(*tool.call(), seen).dump(), pauseBeforeRetry);
}

void failForSources(const ToolCall &tool, const Catalogue &seen, std::string words,
                    std::string context) {
  const auto &all = seen.sources();
  words += words.ends_with('.') ? ' ' : '\n'; // it may end with a list
  // A source that could not be made is not tried again.
  const bool forGood = std::all_of(all.begin(), all.end(), [](const SourceStatus &source) {
    return source.failure.empty() || source.isAbsent;
  });
  if (forGood)
    return tool.fail(
        {Fault::OperationFailed,
         words + "The operator has to fix the configuration, or what it names: tell the user."},
        std::move(context));
  tool.fail({Fault::Unavailable, words + "The server tries it again."}, std::move(context),
            pauseBeforeRetry);
}

bool failWithoutSkills(const ToolCall &tool, const Catalogue &seen) {
  std::string words;
  if (seen.loading().isInProgress) words = loadingWords(*tool.call(), seen);
  if (words.empty() && skillsIn(seen) != 0) return false;
  // Even if they were reported before, because the answer could not be understood without them.
  for (const auto &[name, sentence] : failedSources(*tool.call())) append(words, sentence);
  if (words.empty()) return false;
  if (seen.loading().isInProgress)
    failTemporarily(tool, seen, words);
  else
    failForSources(tool, seen, "There are no skills. " + words);
  return true;
}

void failUnknownSkill(const ToolCall &tool, const Catalogue &seen, std::string_view name) {
  UnknownSkill unknown = unknownSkill(seen, name);
  if (seen.loading().isInProgress) {
    const std::string known = "No skill is named \"" + std::string(cutUtf8(name, 200)) + "\" yet. ";
    return failTemporarily(tool, seen, known + loadingWords(*tool.call(), seen));
  }
  if (std::optional<Failure> unread = unreadableSkill(seen, name))
    return tool.fail(*std::move(unread), std::move(unknown.context));
  tool.call()->recordNoResult(name);
  append(unknown.message, newlyFailed(tool));
  tool.fail({Fault::NotFound, std::move(unknown.message)}, std::move(unknown.context));
}

bool failWhileLoading(const CallPointer &call, const Catalogue &seen) {
  const std::string words = loadingWords(*call, seen);
  if (words.empty()) return false;
  Json data = loadingFacts(*call, seen);
  data["retryable"] = true;
  data["retryAfterMs"] = pauseBeforeRetry.count();
  call->fail({Fault::Unavailable, words + " Try again in a moment."}, data.dump());
  return true;
}

void answerList(const CallPointer &call, Fragments members, const Catalogue &seen, Caching caching,
                std::vector<LeftOutSkill> leftOut) {
  std::string meta;
  // A fault in a skill itself lasts until somebody mends it, so clients may keep the list.
  bool isLasting = false;
  if (!loadingWords(*call, seen).empty())
    meta = R"("org.skillhost/loading":)" + loadingFacts(*call, seen).dump();
  else if (call->method() == "skills/list" || (skillsIn(seen) == 0 && seen.allFailed()))
    if (const Json failures = failureFacts(*call, seen, std::move(leftOut)); !failures.empty()) {
      meta = R"("org.skillhost/failures":)" +
             failures.dump(-1, ' ', false, Json::error_handler_t::replace);
      isLasting = std::none_of(failures.begin(), failures.end(), [](const Json &one) {
        return one.contains("source") || one.value("retryable", false);
      });
    }
  if (meta.empty()) return call->result(std::move(members), caching);
  // The modern family has a place for it among the host's own members.
  if (call->family() == ProtocolFamily::Legacy)
    members.append(R"(,"_meta":{)").append(meta).append("}");
  if (!isLasting) caching.ttlMilliseconds = 0;
  call->result(std::move(members), caching, meta);
}

} // namespace skillhost
