// SPDX-License-Identifier: Apache-2.0
#include "version_resources.hpp"

#include "access/access.hpp"
#include "ground/time_text.hpp"
#include "mcp/call.hpp"
#include "mcp/services.hpp"
#include "skillmd/naming.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

struct VersionsQuestion {
  std::string skill;
  std::optional<std::int64_t> version; // none: all versions, without their texts
};

std::optional<VersionsQuestion> questionOf(std::string_view uri) {
  constexpr std::string_view member = "version=";
  uri.remove_prefix(versionsPrefix.size());
  const std::size_t mark = uri.find('?');
  const auto skill = decodePath(uri.substr(0, mark));
  if (!skill || skill->find('/') == std::string::npos) return std::nullopt;
  VersionsQuestion question{*skill, std::nullopt};
  if (mark == std::string_view::npos) return question;
  const std::string_view query = uri.substr(mark + 1);
  if (!query.starts_with(member)) return std::nullopt;
  std::int64_t number = 0;
  const char *const end = query.data() + query.size();
  const auto [rest, error] = std::from_chars(query.data() + member.size(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  question.version = number;
  return question;
}

std::string momentText(std::int64_t milliseconds) { return timeText(milliseconds / 1'000); }

Json versionAsJson(const SkillVersion &version) {
  Json one{{"version", version.id}, {"since", momentText(version.since)}};
  if (version.until) one["until"] = momentText(*version.until);
  one["digest"] = "blake3:" + version.digest;
  one["size"] = version.bytes;
  one["files"] = version.files;
  one["has_text"] = version.hasText;
  if (const Json facts = Json::parse(version.facts, nullptr, false); facts.is_object())
    one["facts"] = facts;
  return one;
}

Json contentAsJson(const VersionContent &content, bool tellsText) {
  Json one = versionAsJson(content.version);
  if (content.text && tellsText) one["text"] = *content.text;
  if (!tellsText) one["text_withheld"] = true;
  one["file_list"] = Json::array();
  for (const VersionedFile &file : content.files) {
    Json entry{{"path", file.path}, {"mark", file.mark}};
    if (file.size) entry["size"] = *file.size;
    one["file_list"].push_back(std::move(entry));
  }
  return one;
}

// The session keeps the call until it is finished. `add` is called if the call is still waiting.
template <class Found, class Add>
auto answering(const CallPointer &call, std::string uri, const Add &add) {
  return [weak = std::weak_ptr<Call>(call), uri = std::move(uri), add](Result<Found> found) {
    const CallPointer waiting = weak.lock();
    if (!waiting) return;
    if (!found && found.failure().fault == Fault::NotFound) return waiting->failResource(uri);
    if (!found) return waiting->fail(found.failure());
    answerOwnResource(waiting, uri, add(*found));
  };
}

// A caller who may see a skill now may not have been allowed to see earlier versions, so only
// callers who see everything get an answer.
void readVersions(VersionRecorder *versions, const CallPointer &call, const std::string &uri) {
  const std::optional<VersionsQuestion> question = questionOf(uri);
  if (!question) return call->failResource(uri);
  if (versions == nullptr) return answerOwnResource(call, uri, {{"enabled", false}});
  // The principal of an agent may be unknown; it must not read about skills that may be withheld
  // from it.
  const bool mayBeTold = isKnown(*call) || !call->services().withholds;
  if (!call->seesAll() || !mayBeTold)
    return answerOwnResource(call, uri, {{"enabled", true}, {"withheld", true}});
  // A version that was served once may have been rejected since, so only reviewers see its text.
  const Services &services = call->services();
  const bool tellsText =
      !services.withholds || services.access->permissions().mayReview(call->principal().get());
  Json head{{"enabled", true},
            {"skill", question->skill},
            {"served", call->catalogue()->byId(question->skill) != nullptr}};
  if (question->version)
    return versions->show(
        question->skill, *question->version,
        answering<VersionContent>(call, uri, [head, tellsText](const VersionContent &content) {
          Json out = head;
          out["content"] = contentAsJson(content, tellsText);
          return out;
        }));
  versions->list(question->skill, answering<std::vector<SkillVersion>>(
                                      call, uri, [head](const std::vector<SkillVersion> &all) {
                                        Json out = head;
                                        out["versions"] = Json::array();
                                        for (const SkillVersion &one : all)
                                          out["versions"].push_back(versionAsJson(one));
                                        return out;
                                      }));
}

} // namespace

OwnResource versionResources(std::shared_ptr<VersionRecorder> versions) {
  return {std::string(versionsPrefix),
          {},
          Permission::Manage,
          [versions = std::move(versions)](const CallPointer &call, const std::string &uri) {
            readVersions(versions.get(), call, uri);
          }};
}

} // namespace skillhost
