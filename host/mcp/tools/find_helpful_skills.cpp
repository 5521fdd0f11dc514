// SPDX-License-Identifier: Apache-2.0
#include "catalogue_summary.hpp"
#include "filters.hpp"
#include "found_skills.hpp"
#include "ground/counted.hpp"
#include "ground/json_text.hpp"
#include "loading.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "mcp/tool.hpp"
#include "skill_texts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>

namespace skillhost {
namespace {

constexpr std::size_t maxDocuments = 10; // paths named for one skill
constexpr int maxIndexes = 3;            // that may end one after another during a search

struct Query {
  std::string task, source, category;
  std::uint32_t limit = 3;
  bool documents = true;        // named in the data
  bool documentsInText = false; // also in the text, for a model that asks for them
};

void appendPlace(std::string &out, const CatalogueEntry &entry) {
  out += R"("source":)";
  appendJsonString(out, entry.skill->source);
  out += R"(,"uri":)";
  appendJsonString(out, entry.skill->uri + "/SKILL.md");
}

// Appends at most `most` of the copies.
void appendCopies(std::string &out, const FoundSkill &found, std::size_t most) {
  if (found.copies.empty()) return;
  out += R"(,"copies":[)";
  const std::size_t count = std::min(found.copies.size(), most);
  for (std::size_t i = 0; i < count; ++i) {
    out += i == 0 ? R"({"name":)" : R"(,{"name":)";
    appendJsonString(out, found.copies[i]->name);
    out += ',';
    appendPlace(out, *found.copies[i]);
    out += '}';
  }
  out += ']';
}

void appendHit(std::string &out, const FoundSkill &found, std::size_t maxCopies, bool documents) {
  const CatalogueEntry &entry = *found.entry;
  appendSkill(out, entry);
  out.back() = ','; // replaces the closing brace
  out += R"("score":)" + Json(found.hit.score).dump();
  if (!found.hit.snippet.empty()) {
    out += R"(,"snippet":)";
    appendJsonString(out, found.hit.snippet);
  }
  out += ',';
  appendPlace(out, entry);
  appendCopies(out, found, maxCopies);
  if (documents) {
    out += R"(,"documents":[)";
    std::size_t told = 0;
    for (const std::string &path : entry.skill->filePaths) {
      if (path == entry.skill->entry().path || told == maxDocuments) continue;
      if (told++ != 0) out += ',';
      appendJsonString(out, path);
    }
    out += ']';
  }
  out += '}';
}

// Returns the first few paths, for the model. read_skill_document without a path names all.
std::string documentsLine(const Skill &skill) {
  std::string line;
  std::size_t told = 0, others = 0;
  for (const std::string &path : skill.filePaths) {
    if (path == skill.entry().path) continue;
    if (told < maxDocuments)
      line += (told++ == 0 ? "\n  Files: " : ", ") + path;
    else
      ++others;
  }
  return others == 0 ? line : line + " and " + std::to_string(others) + " more";
}

// The state of an index when it was asked.
struct Searched {
  IndexProgress progress;
  double fitting; // the score from which a hit fits well
};

// Returns an empty text if everything is indexed.
std::string indexingWords(const Call &call, const IndexProgress &progress) {
  if (progress.isComplete) return {};
  if (!call.seesAll()) return "The search is still indexing; list_skills has all skills.";
  return "The search is still indexing: " + std::to_string(progress.done) + " of " +
         counted(progress.total, "skill") + " so far; list_skills has them all.";
}

std::string hitLine(const FoundSkill &found, bool fits, const Query &query) {
  const Skill &skill = *found.entry->skill;
  char score[32];
  std::snprintf(score, sizeof score, "%.2f", found.hit.score);
  std::string line = "\n- " + nameForModels(*found.entry) + " (" + score + "): ";
  line += fits ? oneLine(listedDescription(skill)) : shortDescription(*found.entry);
  if (!found.copies.empty()) line += "\n  " + copiesLine(found);
  return query.documentsInText ? line + documentsLine(skill) : line;
}

// Returns the line above the hits. `isComplete` is true if every skill is indexed.
std::string leadingWords(bool any, bool fits, bool isComplete) {
  const std::string_view skill = isComplete ? "No skill" : "No skill that is indexed already";
  if (!any)
    return std::string(skill) + " fits this task." +
           (isComplete ? " Call list_skills to see all there are." : "");
  if (fits) return "Most helpful first. Load one with load_skill before you start:";
  return std::string(skill) +
         " fits this task well. Do it without a skill, unless the description of one of the "
         "nearest says that it is for this task:";
}

void answerSearch(const ToolCall &tool, const Query &query, const Catalogue &catalogue,
                  const std::vector<FoundSkill> &all, const Searched &searched) {
  std::string results, text;
  ToolResult result;
  const std::size_t count = all.size(), most = tool.services().settings.limits.listItems;
  const bool fits = count != 0 && all.front().hit.score >= searched.fitting;
  for (const FoundSkill &found : all) {
    if (!results.empty()) results += ',';
    appendHit(results, found, most, query.documents);
    if (found.copies.size() > most) result.truncated = true;
    text += hitLine(found, fits, query);
  }
  const IndexProgress &progress = searched.progress;
  const std::string indexing = indexingWords(*tool.call(), progress);
  CallMetrics &callMetrics = tool.services().callMetrics;
  if (count == 0 && failWithoutSkills(tool, catalogue))
    return callMetrics.onSearch(CallMetrics::Search::Failed);
  if (count == 0 && indexing.empty() && !(query.source.empty() && query.category.empty()) &&
      failIfFilterUnknown(tool, catalogue, query.source, query.category))
    return callMetrics.onSearch(CallMetrics::Search::Failed);
  // The search knows that nothing fits only when all skills are indexed.
  if (count != 0)
    callMetrics.onSearch(CallMetrics::Search::Found);
  else if (indexing.empty()) {
    callMetrics.onSearch(CallMetrics::Search::None);
    tool.call()->recordNoResult(query.task);
  }
  text.insert(0, leadingWords(count != 0, fits, indexing.empty()));
  std::string quoted;
  appendJsonString(quoted, text);
  result.data.append(R"({"results":[)").append(results).append(R"(],"total":)");
  result.data.append(std::to_string(count)).append("}");
  result.text = Fragments(quoted);
  noteWhatIsMissing(tool, catalogue, result, indexing);
  if (!indexing.empty() && tool.call()->seesAll()) result.indexed = {progress.done, progress.total};
  tool.succeed(result);
}

std::string filterOf(const Query &query) {
  Json filter = Json::object();
  if (!query.source.empty()) filter["source"] = Json::array({query.source});
  if (!query.category.empty()) filter["category"] = Json::array({query.category});
  return filter.empty() ? std::string() : filter.dump();
}

void searchWhenReady(const ToolCall &tool, const Query &query, int others);

// True if the caller's index is no longer `before`, because that has ended.
bool isAnother(const ToolCall &tool, const void *before) {
  return tool.call()->index().get() != before;
}

// The index holds what the caller sees, but may be behind it. Asks for `limit` hits, and for more
// if copies of one skill, or hits that are left out, have taken so many places that skills behind
// them may be missing.
void search(const ToolCall &tool, const Query &query, Index &index, int others,
            std::uint32_t limit) {
  const auto seen = tool.call()->catalogue();
  index.query(tool.options(), query.task, filterOf(query), limit,
              [tool, query, seen, others, limit, before = static_cast<const void *>(&index),
               searched = Searched{index.progress(), index.fittingScore()}](
                  Result<std::vector<SearchHit>> hits) {
                if (!hits && others > 0 && !tool.call()->isFinished() && isAnother(tool, before))
                  return searchWhenReady(tool, query, others - 1);
                if (!hits) {
                  tool.services().callMetrics.onSearch(CallMetrics::Search::Failed);
                  return tool.fail(std::move(hits).failure());
                }
                const bool mayBeMore = hits->size() >= limit && limit < maxHits;
                std::erase_if(*hits, [&](SearchHit &hit) {
                  const CatalogueEntry *const entry = seen->byId(hit.id);
                  if (entry == nullptr || !entry->isForModels()) return true;
                  if (hit.revision == entry->skill->searchRevision) return false;
                  // The index may have found a text that this caller must not see any more.
                  hit.snippet.clear();
                  return !tool.call()->seesAll();
                });
                std::vector<FoundSkill> found = foldCopies(*seen, *hits);
                if (found.size() < query.limit && mayBeMore)
                  if (const auto again = tool.call()->index(); again.get() == before)
                    return search(tool, query, *again, others,
                                  nextLimit(query.limit, limit, found.size()));
                if (found.size() > query.limit) found.resize(query.limit);
                answerSearch(tool, query, *seen, found, searched);
              });
}

// Returns the time to wait for the index: the time of a start, or the rest of it if a part is
// committed already, but at most half of the time until the call's deadline.
std::chrono::milliseconds patienceOf(const ToolCall &tool, const Index &index) {
  namespace chrono = std::chrono;
  const Services &services = tool.services();
  const auto now = chrono::steady_clock::now();
  const auto spanOf = [](auto span) {
    return std::max(chrono::milliseconds(0), chrono::duration_cast<chrono::milliseconds>(span));
  };
  chrono::milliseconds most = services.settings.startupWait;
  if (index.progress().committed) most = spanOf(most - (now - services.started));
  const Deadline &deadline = tool.call()->deadline();
  return deadline.isNever() ? most : std::min(most, spanOf(deadline.at() - now) / 2);
}

// Right after the start the index may not be ready. The search waits for it, but the server does
// not. It begins when the index is committed or at the end of patience, whichever comes first. If
// the index ends meanwhile, the search waits for the one that replaces it, `others` times.
void searchWhenReady(const ToolCall &tool, const Query &query, int others) {
  Services &services = tool.services();
  const std::shared_ptr<Index> index = tool.call()->index();
  if (!index)
    return tool.fail(
        {Fault::NotImplemented, "this server has no search backend: use list_skills instead"});
  // These callbacks must not own the call, because they may outlive its session.
  const auto begun = std::make_shared<std::atomic<bool>>(false);
  const auto begin = [weak = std::weak_ptr<Call>(tool.call()), arguments = &tool.arguments(), query,
                      begun, others, before = static_cast<const void *>(index.get())] {
    const CallPointer call = weak.lock();
    if (!call || begun->exchange(true) || call->isFinished()) return;
    const ToolCall waiting(call, *arguments);
    const std::shared_ptr<Index> asked = call->index();
    if (asked.get() != before && others > 0) return searchWhenReady(waiting, query, others - 1);
    const IndexProgress progress = asked->progress();
    if (progress.committed || progress.failed)
      return search(waiting, query, *asked, others, query.limit);
    const auto catalogue = call->catalogue();
    if (failWithoutSkills(waiting, *catalogue)) return;
    // The search knows why.
    if (progress.total == progress.done) return search(waiting, query, *asked, others, query.limit);
    failTemporarily(waiting, *catalogue, indexingWords(*call, progress));
  };
  index->whenCommitted(tool.call()->cancel(), begin);
  if (!*begun) services.timer.after(patienceOf(tool, *index), begin);
}

void runFindHelpfulSkills(const ToolCall &tool) {
  const Services &services = tool.services();
  Arguments arguments(tool.arguments(),
                      {"task_description", "top_k", "list_documents", "source", "category"});
  Query query;
  query.task = arguments.text("task_description");
  const auto asked =
      static_cast<std::size_t>(arguments.integer("top_k", services.settings.defaultTopK, 1, 20));
  query.limit = static_cast<std::uint32_t>(std::min(asked, services.settings.limits.listItems));
  query.documents = arguments.flag("list_documents", true);
  query.documentsInText = arguments.flag("list_documents", false);
  query.source = arguments.text("source", {});
  query.category = arguments.text("category", {});
  if (!arguments.good()) return tool.fail(arguments.failure());
  tool.call()->uses({.kind = UseKind::Search});
  searchWhenReady(tool, query, maxIndexes - 1);
}

} // namespace

constexpr Tool findHelpfulSkillsTool{
    "find_helpful_skills",
    "Find helpful skills",
    "Find the skills that help with a task. Call this FIRST, before you plan or write anything, "
    "with "
    "the task in the user's words; then load_skill the best one.",
    ToolCategory::Query,
    Permission::Read,
    true,
    R"({"type":"object","properties":{"task_description":{"type":"string","minLength":1,"description":"What is to be done, in a sentence or two."},"top_k":{"type":"integer","minimum":1,"maximum":20,"default":3,"description":"How many skills at most."},"list_documents":{"type":"boolean","description":"Also name up to ten files of each skill. Default: true in structured results, false in text."},"source":{"type":"string","description":"Only skills of this source."},"category":{"type":"string","description":"Only skills of this category."}},"required":["task_description"],"additionalProperties":false})",
    R"({"type":"object","properties":{"results":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"title":{"type":"string"},"description":{"type":"string"},"score":{"type":"number"},"snippet":{"type":"string"},"source":{"type":"string"},"uri":{"type":"string"},"estimated_tokens":{"type":"integer"},"copies":{"type":"array","description":"The same skill in other places.","items":{"type":"object","properties":{"name":{"type":"string"},"source":{"type":"string"},"uri":{"type":"string"}},"required":["name","source","uri"]}},"documents":{"type":"array","items":{"type":"string"}}},"required":["name","description","score","source","uri"]}},"total":{"type":"integer"}},"required":["results","total"]})",
    &runFindHelpfulSkills};

} // namespace skillhost
