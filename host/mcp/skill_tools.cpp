// SPDX-License-Identifier: Apache-2.0
#include "skill_tools.hpp"

#include "ground/sha256.hpp"
#include "mcp/services.hpp"
#include "mcp/tool.hpp"
#include "skill_texts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost {

namespace {

// Hosts put the name of the server before that of the tool ("mcp__skillhost__"), and the interfaces
// of models allow 64 characters in all.
constexpr std::size_t longestToolName = 64 - std::string_view("mcp__skillhost__").size();
constexpr std::size_t digestLetters = 12;

// No model reads it, so it does not count in the size of the entries.
std::string skillToolMeta() { return R"("_meta":{)" + maxResultMember(loadSkillTool) + "}}"; }

bool isPlain(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

} // namespace

std::string skillToolName(const CatalogueEntry &entry) {
  std::string name = entry.name;
  std::replace(name.begin(), name.end(), '/', '.');
  const bool whole =
      name.size() <= longestToolName && std::all_of(entry.name.begin(), entry.name.end(),
                                                    [](char c) { return isPlain(c) || c == '/'; });
  if (whole) return name;
  std::replace_if(name.begin(), name.end(), [](char c) { return !isPlain(c) && c != '.'; }, '_');
  name.resize(std::min(name.size(), longestToolName - digestLetters - 1));
  return name + '.' + sha256Hex(entry.skill->id).substr(0, digestLetters);
}

const CatalogueEntry *findSkillTool(const Catalogue &catalogue, std::string_view name) {
  const auto itIs = [&](const CatalogueEntry *entry) {
    return entry != nullptr && entry->isForModels() && skillToolName(*entry) == name;
  };
  if (const CatalogueEntry *const bare = catalogue.byName(name); itIs(bare)) return bare;
  if (name.find('.') == std::string_view::npos) return nullptr; // every other name has a dot
  std::string id(name);
  std::replace(id.begin(), id.end(), '.', '/');
  if (const CatalogueEntry *const entry = catalogue.byId(id); itIs(entry)) return entry;
  const auto &all = catalogue.entries();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const CatalogueEntry &entry) { return itIs(&entry); });
  return found == all.end() ? nullptr : &*found;
}

std::string describeSkillTool(const CatalogueEntry &entry) {
  const SkillFields &fields = entry.skill->fields;
  Json tool{{"name", skillToolName(entry)},
            {"title", fields.title.empty() ? fields.name : fields.title},
            {"description", listedDescription(*entry.skill)}};
  tool["inputSchema"] = {
      {"type", "object"},
      {"properties",
       {{"force_reload",
         {{"type", "boolean"},
          {"default", false},
          {"description", "Send the content even when this session has it."}}},
        {"offset",
         {{"type", "integer"},
          {"minimum", 0},
          {"default", 0},
          {"description", "Where to read on in a skill too long for one answer."}}}}},
      {"additionalProperties", false}};
  tool["annotations"] = {{"readOnlyHint", true},
                         {"destructiveHint", false},
                         {"idempotentHint", true},
                         {"openWorldHint", false}};
  std::string out = tool.dump();
  out.back() = ',';
  return out + skillToolMeta();
}

std::string tooManySkillTools(const Catalogue &catalogue) {
  const auto &all = catalogue.entries();
  const auto count = static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [](const CatalogueEntry &entry) { return entry.isForModels(); }));
  std::string many;
  if (count > maxSkillTools) {
    many = std::to_string(count) + " tools, and at most " + std::to_string(maxSkillTools) + " are";
  } else {
    std::size_t bytes = 0;
    for (const CatalogueEntry &entry : all)
      if (entry.isForModels()) bytes += describeSkillTool(entry).size() - skillToolMeta().size();
    if (bytes > maxSkillToolBytes)
      many = std::to_string(bytes) + " bytes of tools, and at most " +
             std::to_string(maxSkillToolBytes) + " are";
  }
  if (many.empty()) return many;
  return "expose: the skills would be " + many +
         " offered: list_skills, find_helpful_skills and load_skill stand in for them; name fewer "
         "with include_skills, or write expose: gateway";
}

Expose exposedTools(Services &services, const std::shared_ptr<const Catalogue> &catalogue) {
  const Expose wanted = services.settings.expose;
  if (wanted == Expose::Gateway) return wanted;
  const auto why = services.listings.get(catalogue, "too many skill tools",
                                         [&] { return tooManySkillTools(*catalogue); });
  return why->empty() ? wanted : Expose::Gateway;
}

Reach remoteReach(Services &services, const std::shared_ptr<const Catalogue> &catalogue) {
  // If no tool reads documents, they are still resources.
  return exposedTools(services, catalogue) == Expose::Skills ? Reach::Resource : Reach::Tool;
}

} // namespace skillhost
