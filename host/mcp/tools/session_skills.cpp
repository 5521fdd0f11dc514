// SPDX-License-Identifier: Apache-2.0
// unload_skill and get_loaded_skills_info, for the skills that a session holds.
#include "base/truncation.hpp"
#include "loading.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "mcp/tool.hpp"
#include "skill_texts.hpp"

#include <nlohmann/json.hpp>

namespace skillhost {
namespace {

void unloadNamed(const ToolCall &tool, const std::string &name, NotesAge age) {
  // A skill that is gone from every source can still be unloaded; one that the caller may not see
  // cannot.
  const auto all = tool.services().library.catalogue();
  const auto catalogue = tool.call()->seen(all);
  const auto mayKnow = [&](const std::string &id) {
    return catalogue->byId(id) != nullptr || all->byId(id) == nullptr;
  };
  // The skill that has that name now comes first, then one that had it when it was loaded.
  const CatalogueEntry *const entry = catalogue->byName(name);
  bool held = true;
  const std::size_t unloaded = tool.session().loaded.with([&](auto &skills) -> std::size_t {
    const auto forget = [&](const std::string &id) {
      tool.session().note({.kind = SessionChange::Kind::Unloaded, .name = id});
      return true;
    };
    if (entry != nullptr && skills.contains(entry->skill->id) && forget(entry->skill->id))
      return skills.erase(entry->skill->id);
    const std::size_t count = std::erase_if(skills, [&](const auto &one) {
      return (one.second.name == name || one.first == name) && mayKnow(one.first) &&
             forget(one.first);
    });
    // If the notes could not be refreshed, another replica may have loaded it: the record is
    // changed in any case.
    held = count != 0 || (age != NotesAge::Current && entry != nullptr && forget(entry->skill->id));
    return count;
  });
  tool.session().releaseBytes(unloaded * LoadedSkill::bytes);
  if (!held && entry == nullptr) return failUnknownSkill(tool, *catalogue, name);
  const std::string message =
      held ? "The skill " + name + " is unloaded: disregard its instructions."
           : "The skill " + name + " was not loaded.";
  tool.succeed(toolResult(Json{{"status", held ? "unloaded" : "not_loaded"},
                               {"skill_name", name},
                               {"message", message}},
                          message));
}

// Refreshes the notes first, because another replica may have loaded the skill.
void unload(const ToolCall &tool) {
  Arguments arguments(tool.arguments(), {"skill_name"});
  const std::string name = arguments.text("skill_name");
  if (!arguments.good()) return tool.fail(arguments.failure());
  tool.call()->addToLogLine(name);
  tool.session().refreshNotes([tool, name](NotesAge age) { unloadNamed(tool, name, age); });
}

void tellLoadedSkills(const ToolCall &tool, NotesAge age) {
  Json skills = Json::array();
  std::size_t tokens = 0, count = 0;
  std::string text;
  const std::size_t most = tool.services().settings.limits.listItems;
  const auto whole = tool.services().library.catalogue();
  const auto catalogue = tool.call()->seen(whole);
  tool.session().loaded.with([&](const auto &all) {
    for (const auto &[id, skill] : all) {
      if (catalogue->byId(id) == nullptr && whole->byId(id) != nullptr)
        continue; // hidden from this caller
      tokens += skill.tokens;
      if (count++ >= most) continue;
      text += "\n- " + skill.name + " (about " + std::to_string(skill.tokens) + " tokens)";
      Json one{{"name", skill.name},
               {"tokens", skill.tokens},
               {"loaded_at", skill.loadedAt},
               {"digest", skill.digest}};
      // While sources are listed for the first time, the skill may still appear.
      if (whole->byId(id) == nullptr && !whole->loading().isInProgress) {
        one["no_longer_served"] = true;
        text += ": it is no longer served";
      }
      skills.push_back(std::move(one));
    }
  });
  if (count > most)
    text += "\n" + std::string(truncationMark) + "\nand " + std::to_string(count - most) + " more";
  const Json data{{"loaded_skills", std::move(skills)}, {"count", count}, {"total_tokens", tokens}};
  ToolResult result = toolResult(data, count == 0 ? "No skill is loaded."
                                                  : std::to_string(count) + " loaded:" + text);
  result.truncated = count > most;
  result.partial = age != NotesAge::Current;
  if (result.partial)
    result.notice = "What the replicas share of this session could not be read: this is only what "
                    "one replica knows. Ask again in a moment.";
  tool.succeed(result);
}

void loadedSkills(const ToolCall &tool) {
  const Arguments arguments(tool.arguments(), {});
  if (!arguments.good()) return tool.fail(arguments.failure());
  tool.session().refreshNotes([tool](NotesAge age) { tellLoadedSkills(tool, age); });
}

} // namespace

constexpr Tool unloadSkillTool{
    "unload_skill",
    "Unload a skill",
    "Forget that a skill is loaded. Call it after you have turned to other work.",
    ToolCategory::Mutation,
    Permission::Read,
    false,
    R"({"type":"object","properties":{"skill_name":{"type":"string","minLength":1,"description":"The name under which it was loaded."}},"required":["skill_name"],"additionalProperties":false})",
    R"({"type":"object","properties":{"status":{"enum":["unloaded","not_loaded"]},"skill_name":{"type":"string"},"message":{"type":"string"}},"required":["status","skill_name","message"]})",
    &unload,
    " load_skill will then send it again."};

constexpr Tool loadedSkillsTool{
    "get_loaded_skills_info",
    "Loaded skills",
    "Tell which skills this session has loaded, and about how many tokens they take (bytes / 4).",
    ToolCategory::Query,
    Permission::Read,
    true,
    R"({"type":"object","properties":{},"additionalProperties":false})",
    R"({"type":"object","properties":{"loaded_skills":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"tokens":{"type":"integer"},"loaded_at":{"type":"string"},"digest":{"type":"string"},"no_longer_served":{"type":"boolean"}},"required":["name","tokens","loaded_at","digest"]}},"count":{"type":"integer"},"total_tokens":{"type":"integer"}},"required":["loaded_skills","count","total_tokens"]})",
    &loadedSkills};

} // namespace skillhost
