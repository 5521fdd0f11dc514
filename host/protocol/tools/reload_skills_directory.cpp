// SPDX-License-Identifier: Apache-2.0
// reload_skills_directory: for whoever looks after the skills.
#include "client_session.hpp"
#include "services.hpp"
#include "tool.hpp"

#include <nlohmann/json.hpp>

#include <set>

namespace skillhost {
namespace {

struct Difference {
  std::size_t added = 0, removed = 0, changed = 0;
};

Difference compare(const Catalogue &before, const Catalogue &now) {
  Difference difference;
  for (const CatalogueEntry &entry : now.entries()) {
    const CatalogueEntry *const was = before.byId(entry.skill->id);
    if (was == nullptr)
      ++difference.added;
    else if (was->skill != entry.skill && was->skill->files != entry.skill->files)
      ++difference.changed;
  }
  for (const CatalogueEntry &entry : before.entries())
    difference.removed += now.byId(entry.skill->id) == nullptr ? 1 : 0;
  return difference;
}

void reload(const ToolCall &tool) {
  const Arguments arguments(tool.arguments(), {});
  if (!arguments.good()) return tool.fail(arguments.failure());
  const auto before = tool.call()->catalogue();
  tool.call()->followListings();
  tool.services().library.reload([tool, before] {
    const auto now = tool.call()->catalogue();
    const Difference difference = compare(*before, *now);
    Json failures = Json::array();
    for (const SourceStatus &source : now->sources())
      if (!source.failure.empty())
        failures.push_back({{"source", source.name}, {"message", source.failure}});
    const std::string message = std::to_string(now->entries().size()) +
                                " skills: " + std::to_string(difference.added) + " added, " +
                                std::to_string(difference.removed) + " removed, " +
                                std::to_string(difference.changed) + " changed" +
                                (failures.empty() ? "." : ". Some sources could not be read.");
    tool.succeed(toolResult(Json{{"status", "reloaded"},
                                 {"total", now->entries().size()},
                                 {"added", difference.added},
                                 {"removed", difference.removed},
                                 {"changed", difference.changed},
                                 {"failures", std::move(failures)},
                                 {"message", message}},
                            message));
  });
}

} // namespace

constexpr Tool reloadTool{
    "reload_skills_directory",
    "Reload the skills",
    "Look at every source of skills anew. Changes are noticed without it; call it when a file was "
    "just written and has to be there now.",
    ToolCategory::Scan,
    true,
    R"({"type":"object","properties":{},"additionalProperties":false})",
    R"({"type":"object","properties":{"status":{"const":"reloaded"},"total":{"type":"integer"},"added":{"type":"integer"},"removed":{"type":"integer"},"changed":{"type":"integer"},"failures":{"type":"array","items":{"type":"object"}},"message":{"type":"string"}},"required":["status","total","added","removed","changed","failures","message"]})",
    &reload};

} // namespace skillhost
