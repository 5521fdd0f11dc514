// SPDX-License-Identifier: Apache-2.0
// reload_skills_directory, for people who look after the skills.
#include "ground/counted.hpp"
#include "loading.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "mcp/source_notices.hpp"
#include "mcp/tool.hpp"
#include "skills/skill_changes.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
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
    else if (was->skill != entry.skill && hasChanged(*was->skill, *entry.skill))
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
  notifySourceChanged(tool.services().shared.get(), {});
  const auto answer = [tool, before] {
    const auto now = tool.call()->catalogue();
    const Difference difference = compare(*before, *now);
    const std::size_t most = tool.services().settings.limits.listItems;
    Json failures = Json::array();
    std::size_t count = 0;
    std::string named;
    for (const SourceStatus &source : now->sources()) {
      if (source.failure.empty() || count++ >= most) continue;
      failures.push_back({{"source", source.name}, {"message", source.failure}});
      named += "\n- " + source.name + ": " + std::string(source.reason());
    }
    const bool served =
        std::any_of(now->sources().begin(), now->sources().end(), [](const SourceStatus &source) {
          return !source.failure.empty() && source.skills != 0;
        });
    const std::string failed =
        std::to_string(count) + " of " + counted(now->sources().size(), "source") +
        " could not be refreshed" + (served ? "; what was known of them is served:" : ":");
    if (now->allFailed())
      return failForSources(tool, *now, failed + named,
                            Json{{"failures", std::move(failures)}}.dump(
                                -1, ' ', false, Json::error_handler_t::replace));
    const std::string warning = failures.empty() ? "" : failed + named;
    const std::string message =
        counted(now->entries().size(), "skill") + ": " + std::to_string(difference.added) +
        " added, " + std::to_string(difference.removed) + " removed, " +
        std::to_string(difference.changed) + " changed" + (warning.empty() ? "." : ". " + warning);
    ToolResult result = toolResult(Json{{"status", failures.empty() ? "reloaded" : "incomplete"},
                                        {"total", now->entries().size()},
                                        {"added", difference.added},
                                        {"removed", difference.removed},
                                        {"changed", difference.changed},
                                        {"failures", std::move(failures)},
                                        {"message", message}},
                                   message);
    result.truncated = count > most;
    tool.succeed(result, warning);
  };
  tool.services().library.reload(answer, tool.call()->trace().passed);
}

} // namespace

constexpr Tool reloadTool{
    "reload_skills_directory",
    "Reload the skills",
    "Check every source of skills for changes now. Changes are noticed without it: call it only if "
    "a file that was just written must be there at once.",
    ToolCategory::Scan,
    Permission::Manage,
    true,
    R"({"type":"object","properties":{},"additionalProperties":false})",
    R"({"type":"object","properties":{"status":{"enum":["reloaded","incomplete"]},"total":{"type":"integer"},"added":{"type":"integer"},"removed":{"type":"integer"},"changed":{"type":"integer"},"failures":{"type":"array","items":{"type":"object"}},"message":{"type":"string"}},"required":["status","total","added","removed","changed","failures","message"]})",
    &reload};

} // namespace skillhost
