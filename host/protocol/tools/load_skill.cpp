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
  result.cached = content.cached;
  result.truncated = prepared.truncated;
  return result;
}

ToolResult alreadyLoaded(const CatalogueEntry &entry, const std::string &digest,
                         const std::string &loadedAt) {
  const std::string message = "The skill " + entry.name +
                              " is loaded already and has not changed: use the content you "
                              "have, or pass force_reload to get it again.";
  Json data{{"status", "already_loaded"},
            {"skill_name", entry.name},
            {"message", message},
            {"digest", digest}};
  if (!loadedAt.empty()) data["loaded_at"] = loadedAt;
  return toolResult(data, message);
}

void answer(const ToolCall &tool, const CatalogueEntry &entry, const LoadRequest &request,
            const Content &content) {
  const PreparedContent &prepared = *content.prepared;
  const std::string now = timestamp(std::chrono::system_clock::now());
  // What the session holds is compared by digest: a skill that changed since is loaded anew.
  const std::string since = tool.session().loaded.with([&](auto &all) -> std::string {
    const auto [held, isNew] = all.try_emplace(entry.skill->id);
    if (!isNew && held->second.digest == prepared.digest && !request.force)
      return held->second.loadedAt;
    held->second = {entry.name, prepared.digest, now, prepared.rawBytes / 4};
    return {};
  });
  const bool known = request.knownDigest == prepared.digest && !request.force;
  if (!since.empty() || known)
    tool.succeed(alreadyLoaded(entry, prepared.digest, since));
  else
    tool.succeed(loadedResult(entry, content, now));
}

void run(const ToolCall &tool) {
  Arguments arguments(tool.arguments(), {"skill_name", "force_reload", "known_digest"});
  LoadRequest request;
  const std::string name = arguments.text("skill_name");
  request.force = arguments.flag("force_reload", false);
  request.knownDigest = arguments.text("known_digest", {});
  if (!arguments.good()) return tool.fail(arguments.failure());
  const auto catalogue = tool.services().library.catalogue();
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
    &run};

} // namespace skillhost
