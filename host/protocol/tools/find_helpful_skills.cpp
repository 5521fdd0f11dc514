// SPDX-License-Identifier: Apache-2.0
#include "client_session.hpp"
#include "services.hpp"
#include "skill_texts.hpp"
#include "tool.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace skillhost {
namespace {

constexpr std::size_t mostDocuments = 100; // paths named for one skill

struct Query {
  std::string task, source, category;
  std::uint32_t limit = 3;
  bool documents = true;
  bool whole = false; // asked for so many hits that none can be missing
};

Json describeHit(const CatalogueEntry &entry, const SearchHit &hit, bool documents) {
  Json one = describeSkill(entry);
  one["score"] = hit.score;
  if (!hit.snippet.empty()) one["snippet"] = hit.snippet;
  one["source"] = entry.skill->source;
  one["uri"] = entry.skill->uri + "/SKILL.md";
  if (!documents) return one;
  Json paths = Json::array();
  for (const std::string &path : entry.skill->filePaths)
    if (path != entry.skill->entry.path && paths.size() < mostDocuments) paths.push_back(path);
  one["documents"] = std::move(paths);
  return one;
}

// The first few paths, for the model: read_skill_document without a path names all.
std::string documentsLine(const Skill &skill) {
  constexpr std::size_t most = 10;
  std::string line;
  std::size_t told = 0, others = 0;
  for (const std::string &path : skill.filePaths) {
    if (path == skill.entry.path) continue;
    if (told < most)
      line += (told++ == 0 ? "\n  Files: " : ", ") + path;
    else
      ++others;
  }
  return others == 0 ? line : line + " and " + std::to_string(others) + " more";
}

void answer(const ToolCall &tool, const Query &query, const Catalogue &catalogue,
            const std::vector<SearchHit> &hits) {
  Json results = Json::array();
  std::string text;
  for (const SearchHit &hit : hits) {
    // The index may be a moment behind the catalogue: what is gone is not named.
    const CatalogueEntry *const entry = catalogue.byId(hit.id);
    if (entry == nullptr || !entry->skill->byTools) continue;
    results.push_back(describeHit(*entry, hit, query.documents));
    char score[32];
    std::snprintf(score, sizeof score, "%.2f", hit.score);
    text += "\n- " + entry->name + " (" + score + "): " + entry->skill->fields.description;
    if (query.documents) text += documentsLine(*entry->skill);
  }
  const std::size_t count = results.size();
  const Json data{{"results", std::move(results)}, {"total", count}};
  tool.succeed(toolResult(
      data, count == 0 ? "No skill fits this task. Call list_skills to see all there are."
                       : "Most helpful first. Load one with load_skill before you start:" + text));
}

std::string filterOf(const Query &query) {
  Json filter = Json::object();
  if (!query.source.empty()) filter["source"] = Json::array({query.source});
  if (!query.category.empty()) filter["category"] = Json::array({query.category});
  return filter.empty() ? std::string() : filter.dump();
}

// The index knows every skill and the caller perhaps not: more hits are asked for than are wanted,
// and should too many of them be hidden, as many as there can be.
void search(const ToolCall &tool, const Query &query) {
  const auto all = tool.services().library.catalogue();
  const auto seen = tool.call()->seen(all);
  const std::size_t hidden = all->entries().size() - seen->entries().size();
  constexpr std::size_t someMore = 50;
  const auto limit =
      static_cast<std::uint32_t>(query.limit + (query.whole ? hidden : std::min(hidden, someMore)));
  const bool complete = query.whole || hidden <= someMore;
  tool.services().index->query(
      tool.options(), query.task, filterOf(query), limit,
      [tool, query, seen, limit, complete](Result<std::vector<SearchHit>> hits) {
        if (!hits) return tool.fail(std::move(hits).failure());
        const bool full = hits->size() == limit;
        std::erase_if(*hits, [&](const SearchHit &hit) { return seen->byId(hit.id) == nullptr; });
        if (full && !complete && hits->size() < query.limit) {
          Query again = query;
          again.whole = true;
          return search(tool, again);
        }
        if (hits->size() > query.limit) hits->resize(query.limit);
        answer(tool, query, *seen, *hits);
      });
}

void runFindHelpfulSkills(const ToolCall &tool) {
  Services &services = tool.services();
  Arguments arguments(tool.arguments(),
                      {"task_description", "top_k", "list_documents", "source", "category"});
  Query query;
  query.task = arguments.text("task_description");
  query.limit =
      static_cast<std::uint32_t>(arguments.integer("top_k", services.settings.defaultTopK, 1, 20));
  query.documents = arguments.flag("list_documents", true);
  query.source = arguments.text("source", {});
  query.category = arguments.text("category", {});
  if (!arguments.good()) return tool.fail(arguments.failure());
  if (services.index == nullptr)
    return tool.fail(
        {Fault::NotImplemented, "this server has no search backend: use list_skills instead"});
  // Right after the start the index may be on its way: the search waits for it, the server does
  // not.
  services.index->whenCommitted(tool.call()->cancel(), [tool, query] { search(tool, query); });
}

} // namespace

constexpr Tool findHelpfulSkillsTool{
    "find_helpful_skills",
    "Find helpful skills",
    "Find the skills that help with a task. Call this FIRST, before you plan or write anything, "
    "with "
    "the task in the user's words; then load_skill the best one.",
    ToolCategory::Query,
    true,
    R"({"type":"object","properties":{"task_description":{"type":"string","minLength":1,"description":"What is to be done, in a sentence or two."},"top_k":{"type":"integer","minimum":1,"maximum":20,"default":3,"description":"How many skills at most."},"list_documents":{"type":"boolean","default":true,"description":"Name the files of each skill too."},"source":{"type":"string","description":"Only skills of this source."},"category":{"type":"string","description":"Only skills of this category."}},"required":["task_description"],"additionalProperties":false})",
    R"({"type":"object","properties":{"results":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"title":{"type":"string"},"description":{"type":"string"},"score":{"type":"number"},"snippet":{"type":"string"},"source":{"type":"string"},"uri":{"type":"string"},"estimated_tokens":{"type":"integer"},"documents":{"type":"array","items":{"type":"string"}}},"required":["name","description","score","source","uri"]}},"total":{"type":"integer"}},"required":["results","total"]})",
    &runFindHelpfulSkills};

} // namespace skillhost
