// SPDX-License-Identifier: Apache-2.0
#include "base/json_text.hpp"
#include "client_session.hpp"
#include "load.hpp"
#include "services.hpp"
#include "skill_content.hpp"
#include "skill_texts.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

std::string jsonString(std::string_view text) {
  std::string out;
  appendJsonString(out, text);
  return out;
}

ToolResult loadedResult(const CatalogueEntry &entry, const Content &content,
                        const std::string &loadedAt) {
  const PreparedContent &prepared = *content.prepared;
  const std::string tokens = std::to_string(prepared.rawBytes / 4);
  ToolResult result;
  result.data.append(R"({"status":"loaded","skill_name":)")
      .append(jsonString(entry.name))
      .append(R"(,"message":"Follow the instructions in content.","tokens_loaded":)")
      .append(tokens)
      .append(R"(,"loaded_at":")")
      .append(loadedAt)
      .append(R"(","digest":")")
      .append(prepared.digest)
      .append(R"(","uri":)")
      .append(jsonString(entry.skill->uri + "/SKILL.md"))
      .append(R"(,"content":)")
      .append(prepared.jsonText)
      .append("}");
  result.text.append(prepared.jsonText);
  result.meta = factsMember(*entry.skill);
  result.cached = content.cached;
  result.truncated = prepared.truncated;
  result.limited = false; // by max_skill_content_chars alone
  return result;
}

ToolResult alreadyLoaded(const CatalogueEntry &entry, const std::string &digest,
                         const std::string &loadedAt) {
  const std::string message = "The skill " + entry.name +
                              " is loaded already and has not changed: use the content you "
                              "have, or pass force_reload to get it again.";
  ToolResult result = toolResult(Json{{"status", "already_loaded"},
                                      {"skill_name", entry.name},
                                      {"message", message},
                                      {"loaded_at", loadedAt},
                                      {"digest", digest}},
                                 message);
  result.meta = factsMember(*entry.skill);
  return result;
}

void answer(const ToolCall &tool, const CatalogueEntry &entry, const LoadRequest &request,
            const Content &content) {
  const PreparedContent &prepared = *content.prepared;
  const std::string now = timestamp(std::chrono::system_clock::now());
  // By digest: a skill that changed since is loaded anew. What the caller says it holds counts more
  // than what the session remembers.
  const std::string since = tool.session().loaded.with([&](auto &all) {
    LoadedSkill &held = all[entry.skill->id];
    const std::string &has = request.knownDigest.empty() ? held.digest : request.knownDigest;
    const bool current = has == prepared.digest && !request.force;
    std::string loadedAt = current && held.digest == prepared.digest ? held.loadedAt : now;
    held = {entry.name, prepared.digest, std::move(loadedAt), prepared.rawBytes / 4};
    return current ? held.loadedAt : std::string();
  });
  if (since.empty())
    tool.succeed(loadedResult(entry, content, now));
  else
    tool.succeed(alreadyLoaded(entry, prepared.digest, since));
}

void runLoadSkill(const ToolCall &tool) {
  Arguments arguments(tool.arguments(), {"skill_name", "force_reload", "known_digest"});
  LoadRequest request;
  const std::string name = arguments.text("skill_name");
  request.force = arguments.flag("force_reload", false);
  request.knownDigest = arguments.text("known_digest", {});
  if (!arguments.good()) return tool.fail(arguments.failure());
  const auto catalogue = tool.call()->catalogue();
  const CatalogueEntry *const entry = catalogue->byName(name);
  if (entry == nullptr) {
    UnknownSkill unknown = unknownSkill(*catalogue, name);
    return tool.fail({Fault::NotFound, std::move(unknown.message)}, std::move(unknown.context));
  }
  loadSkill(tool, *entry, request);
}

} // namespace

void loadSkill(const ToolCall &tool, const CatalogueEntry &entry, const LoadRequest &request) {
  tool.call()->about(entry.name);
  if (const std::optional<Content> kept = keptContent(tool.services(), entry))
    return answer(tool, entry, request, *kept);
  prepareContent(tool.services(), entry, tool.options(),
                 [tool, entry, request](Result<Content> content) {
                   if (content) return answer(tool, entry, request, *content);
                   const Json context{{"status", "error"}, {"skill_name", entry.name}};
                   tool.fail(std::move(content).failure(), context.dump());
                 });
}

constexpr Tool loadSkillTool{
    "load_skill",
    "Load a skill",
    "Load a skill: returns the instructions to follow. Load a skill BEFORE you start the work it "
    "is "
    "for. A skill that is loaded already is not sent again; pass force_reload to get it again.",
    ToolCategory::Query,
    false,
    R"({"type":"object","properties":{"skill_name":{"type":"string","minLength":1,"description":"The name as list_skills or find_helpful_skills gives it."},"force_reload":{"type":"boolean","default":false,"description":"Send the content even when this session has it."},"known_digest":{"type":"string","description":"The digest of the content you hold: the content is only sent when it differs."}},"required":["skill_name"],"additionalProperties":false})",
    R"({"type":"object","properties":{"status":{"enum":["loaded","already_loaded"]},"skill_name":{"type":"string"},"content":{"type":"string"},"message":{"type":"string"},"tokens_loaded":{"type":"integer"},"loaded_at":{"type":"string"},"digest":{"type":"string"},"uri":{"type":"string"}},"required":["status","skill_name","message","digest"]})",
    &runLoadSkill};

} // namespace skillhost
