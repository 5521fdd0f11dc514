// SPDX-License-Identifier: Apache-2.0
#include "catalogue_summary.hpp"
#include "filters.hpp"
#include "ground/counted.hpp"
#include "ground/json_text.hpp"
#include "ground/text.hpp"
#include "loading.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "mcp/tool.hpp"
#include "skill_texts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace skillhost {
namespace {

constexpr std::int64_t maxItems = 1000;
constexpr std::size_t envelopeBytes = 200; // around a page, in each of its forms
constexpr std::size_t overviewBytes = 2000;

struct Wanted {
  std::size_t limit, offset;
  std::size_t bytes; // room for the page in one form
  std::string source, category;
  bool detail;    // whole descriptions and all fields, not only a sentence
  bool overview;  // no particular part of the list is asked for
  bool isClamped; // more items are asked for than an answer may have

  bool matches(const CatalogueEntry &entry) const {
    return entry.isForModels() && (source.empty() || entry.skill->source == source) &&
           (category.empty() || entry.skill->fields.category == category);
  }
  std::string key(const char *part) const {
    constexpr std::size_t around = 80;
    std::string key;
    key.reserve(around + source.size() + category.size());
    appendPieces(key, {"list_skills ", part,
                       detail     ? " detail "
                       : overview ? " all "
                                  : " ",
                       std::to_string(bytes), " ", std::to_string(limit), " ",
                       std::to_string(offset), " ", source, "\n", category});
    return key;
  }
  void append(std::string &out, const CatalogueEntry &entry) const {
    if (!detail) return appendShortSkill(out, entry);
    appendSkill(out, entry);
    out.back() = ','; // replaces the closing brace
    out += R"("source":)";
    appendJsonString(out, entry.skill->source);
    out += '}';
  }
};

// The entries of one page, the number of all entries, and if the page ends early for want of room.
struct Selection {
  std::vector<const CatalogueEntry *> page;
  std::string items; // the same as JSON
  std::size_t total = 0;
  bool cut = false;
};

Selection select(const Catalogue &catalogue, const Wanted &wanted) {
  Selection selection;
  std::string one; // as JSON; its line in the text is no longer than that
  std::size_t bytes = 0;
  for (const CatalogueEntry &entry : catalogue.entries()) {
    if (!wanted.matches(entry)) continue;
    if (selection.total++ < wanted.offset || selection.page.size() == wanted.limit) continue;
    one.clear();
    wanted.append(one, entry);
    bytes += one.size() + 1;
    selection.cut = selection.cut || (bytes > wanted.bytes && !selection.page.empty());
    if (selection.cut) continue;
    if (!selection.page.empty()) selection.items += ',';
    selection.items += one;
    selection.page.push_back(&entry);
  }
  return selection;
}

// Returns everything but what this session has loaded, which is the same for all callers.
std::string pageData(const Selection &selection, const Wanted &wanted) {
  const bool more = wanted.offset + selection.page.size() < selection.total;
  return R"({"skills":[)" + selection.items + R"(],"total":)" + std::to_string(selection.total) +
         R"(,"limit":)" + std::to_string(wanted.limit) + R"(,"offset":)" +
         std::to_string(wanted.offset) + R"(,"hasMore":)" + (more ? "true" : "false") +
         R"(,"currently_loaded":[)";
}

std::string overviewText(const Catalogue &catalogue, std::size_t total) {
  return std::to_string(total) +
         " skills, from these sources: " + sourceCounts(catalogue, overviewBytes) +
         ".\nThat is too many to read. Search first: call find_helpful_skills with the task. To "
         "read the list, call list_skills with source, category, or limit and offset.";
}

// Returns the fields of a skill that stand behind its description, in one line.
std::string fieldsLine(const Skill &skill) {
  const SkillFields &fields = skill.fields;
  std::string line = "\n  source: " + skill.source;
  const auto add = [&](std::string_view name, const std::string &value) {
    if (!value.empty()) ((line += "; ") += name) += oneLine(value);
  };
  if (fields.title != fields.name) add("title: ", fields.title);
  add("version: ", fields.version);
  add("category: ", fields.category);
  std::string keywords;
  for (const std::string &keyword : fields.keywords)
    (keywords += keywords.empty() ? "" : ", ") += keyword;
  add("keywords: ", keywords);
  if (fields.autoActivate) line += "; auto_activate";
  return line + "; about " + counted(skill.estimatedTokens, "token");
}

std::string listText(const Catalogue &catalogue, const Selection &selection, const Wanted &wanted) {
  const auto &[page, items, total, cut] = selection;
  if (wanted.overview && total > maxNamedSkills) return overviewText(catalogue, total);
  std::string text = std::to_string(total) + (total == 1 ? " skill" : " skills");
  if (page.size() < total)
    text += ", showing " + std::to_string(page.size()) + " from " + std::to_string(wanted.offset);
  text += ". Load one with load_skill before you use it.";
  for (const CatalogueEntry *entry : page) {
    text += "\n- " + nameForModels(*entry) + ": " +
            (wanted.detail ? oneLine(listedDescription(*entry->skill)) : shortDescription(*entry));
    if (wanted.detail) text += fieldsLine(*entry->skill);
  }
  if (wanted.offset + page.size() < total)
    text += "\nMore: list_skills with offset " + std::to_string(wanted.offset + page.size()) + ".";
  return text;
}

// Returns a JSON string without its last quote, so that a line about the session can follow.
std::string pageText(const Catalogue &catalogue, const Selection &selection, const Wanted &wanted) {
  std::string quoted;
  appendJsonString(quoted, listText(catalogue, selection, wanted));
  quoted.pop_back();
  return quoted;
}

std::vector<std::string> loadedNames(const ToolCall &tool, const Catalogue &all,
                                     const Catalogue &seen) {
  std::vector<std::string> names;
  tool.session().loaded.with([&](const auto &skills) {
    for (const auto &[id, skill] : skills)
      // The caller must not learn of a skill that is only served to others.
      if (seen.byId(id) != nullptr || all.byId(id) == nullptr) names.push_back(skill.name);
  });
  return names;
}

std::string asItems(const std::vector<std::string> &names) {
  std::string out;
  for (const std::string &name : names) {
    if (!out.empty()) out += ',';
    appendJsonString(out, name);
  }
  return out;
}

// Returns the end of the text: the line about loaded skills, and the quote. If nothing is loaded,
// the line only says so if the caller asks for details.
std::string textEnd(const ToolCall &tool, const std::vector<std::string> &loaded, bool detail) {
  std::string line;
  for (const std::string &name : loaded) (line += line.empty() ? "\nLoaded: " : ", ") += name;
  if (!line.empty())
    line += '.';
  else if (detail && tool.call()->remembers())
    line = "\nLoaded: none.";
  std::string quoted;
  appendJsonString(quoted, line);
  return quoted.substr(1);
}

Arguments listArguments(const Json &arguments) {
  return {arguments, {"limit", "offset", "source", "category", "detail"}};
}

// Reads the arguments; faults stay in them. `room`: see ToolCall::room().
Wanted wantedOf(Arguments &arguments, const Services &services, std::size_t room) {
  const auto whole = static_cast<std::int64_t>(services.settings.limits.listItems);
  Wanted wanted;
  const std::int64_t asked = arguments.integer("limit", whole, 1, maxItems);
  wanted.limit = static_cast<std::size_t>(std::min(asked, whole));
  wanted.isClamped = asked > whole;
  wanted.bytes = room - envelopeBytes;
  wanted.offset = static_cast<std::size_t>(arguments.integer("offset", 0, 0, 1'000'000'000));
  wanted.source = arguments.text("source", {});
  wanted.category = arguments.text("category", {});
  wanted.detail = arguments.flag("detail", false);
  wanted.overview = !arguments.any();
  return wanted;
}

void runListSkills(const ToolCall &tool) {
  Services &services = tool.services();
  Arguments arguments = listArguments(tool.arguments());
  const Wanted wanted = wantedOf(arguments, services, tool.room());
  if (!arguments.good()) return tool.fail(arguments.failure());

  const auto all = services.library.catalogue();
  const auto catalogue = tool.call()->seen(all);
  // Made once for all parts of the answer that are not cached.
  std::optional<Selection> made;
  const auto selection = [&]() -> const Selection & {
    return made ? *made : made.emplace(select(*catalogue, wanted));
  };
  if ((catalogue->loading().isInProgress || catalogue->entries().empty()) &&
      selection().total == 0 && failWithoutSkills(tool, *catalogue))
    return;
  if (!(wanted.source.empty() && wanted.category.empty()) &&
      std::none_of(catalogue->entries().begin(), catalogue->entries().end(),
                   [&](const CatalogueEntry &entry) { return wanted.matches(entry); }) &&
      failIfFilterUnknown(tool, *catalogue, wanted.source, wanted.category))
    return;
  ToolResult result;
  const std::vector<std::string> loaded = loadedNames(tool, *all, *catalogue);
  if (tool.form() != ResultForm::Text) {
    const auto data = services.listings.get(catalogue, wanted.key("data"),
                                            [&] { return pageData(selection(), wanted); });
    result.data.append(data).append(asItems(loaded)).append("]}");
  }
  if (tool.form() != ResultForm::Structured)
    result.text
        .append(services.listings.get(catalogue, wanted.key("text"),
                                      [&] { return pageText(*catalogue, selection(), wanted); }))
        .append(textEnd(tool, loaded, wanted.detail));
  result.cached = true;
  result.truncated = *services.listings.get(
                         catalogue, wanted.key(wanted.isClamped ? "cut or clamped" : "cut"), [&] {
                           const bool more =
                               wanted.isClamped && selection().total > wanted.offset + wanted.limit;
                           return selection().cut || more ? "cut" : "";
                         }) == "cut";
  noteWhatIsMissing(tool, *catalogue, result);
  tool.succeed(result);
}

} // namespace

std::optional<std::size_t> keptListSize(const Call &call, const Json &arguments) {
  Services &services = call.services();
  const ResultForm form = call.resultForm();
  Arguments reader = listArguments(arguments);
  const Wanted wanted = wantedOf(reader, services, roomOf(services, form));
  const auto catalogue = call.catalogue();
  std::size_t size = 0;
  for (const auto &[part, other] :
       {std::pair{"text", ResultForm::Structured}, {"data", ResultForm::Text}}) {
    if (form == other) continue;
    const auto kept = services.listings.find(catalogue, wanted.key(part));
    if (!kept) return std::nullopt;
    size += kept->size();
  }
  return size;
}

constexpr Tool listSkillsTool{
    "list_skills",
    "List skills",
    "List the skills this server has, with a sentence about each. ALWAYS call this (or "
    "find_helpful_skills) before you start a task, and load_skill the one that fits.",
    ToolCategory::Query,
    Permission::Read,
    true,
    R"({"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":1000,"description":"How many skills at most; the default is 100."},"offset":{"type":"integer","minimum":0,"description":"How many to skip, to page through a long list."},"source":{"type":"string","description":"Only skills of this source."},"category":{"type":"string","description":"Only skills of this category."},"detail":{"type":"boolean","default":false,"description":"Also tell the whole description, source, version, category, keywords and tokens of each skill."}},"additionalProperties":false})",
    R"({"type":"object","properties":{"skills":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"title":{"type":"string"},"description":{"type":"string"},"category":{"type":"string"},"keywords":{"type":"array","items":{"type":"string"}},"version":{"type":"string"},"auto_activate":{"type":"boolean"},"estimated_tokens":{"type":"integer"},"source":{"type":"string"}},"required":["name","description","estimated_tokens"]}},"total":{"type":"integer"},"limit":{"type":"integer"},"offset":{"type":"integer"},"hasMore":{"type":"boolean"},"currently_loaded":{"type":"array","items":{"type":"string"}}},"required":["skills","total","limit","offset","hasMore","currently_loaded"]})",
    &runListSkills};

} // namespace skillhost
