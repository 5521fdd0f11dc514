// SPDX-License-Identifier: Apache-2.0
#include "skill_tools.hpp"

#include "tool.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost {

std::string skillToolName(const CatalogueEntry &entry) {
  std::string name = entry.name;
  std::replace(name.begin(), name.end(), '/', '.');
  return findTool(name) == nullptr ? name : "skill." + name;
}

const CatalogueEntry *findSkillTool(const Catalogue &catalogue, std::string_view name) {
  if (const CatalogueEntry *const bare = catalogue.byName(name);
      bare != nullptr && skillToolName(*bare) == name)
    return bare;
  for (const CatalogueEntry &entry : catalogue.entries())
    if (entry.skill->byTools && skillToolName(entry) == name) return &entry;
  return nullptr;
}

std::string describeSkillTool(const CatalogueEntry &entry) {
  const SkillFields &fields = entry.skill->fields;
  Json tool{{"name", skillToolName(entry)},
            {"title", fields.title.empty() ? fields.name : fields.title},
            {"description", fields.description}};
  tool["inputSchema"] = {{"type", "object"},
                         {"properties",
                          {{"force_reload",
                            {{"type", "boolean"},
                             {"default", false},
                             {"description", "Send the content even when this session has it."}}}}},
                         {"additionalProperties", false}};
  tool["annotations"] = {{"readOnlyHint", true},
                         {"destructiveHint", false},
                         {"idempotentHint", true},
                         {"openWorldHint", false}};
  return tool.dump();
}

} // namespace skillhost
