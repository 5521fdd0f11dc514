// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"
#include "base64.hpp"
#include "client_session.hpp"
#include "services.hpp"
#include "skill_texts.hpp"
#include "skills/glob.hpp"
#include "skills/naming.hpp"
#include "stale_content.hpp"
#include "tool.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace skillhost {
namespace {

constexpr std::size_t largestDocument = 16U << 20U;
constexpr std::size_t largestKept = 1U << 20U; // of a document, in the cache

using Bytes = std::shared_ptr<const std::string>;

// The documents of one call, gathered from the source's lane.
struct Reading {
  std::shared_ptr<const Skill> skill;
  std::string name;
  bool base64 = false;
  std::vector<std::size_t> files; // indices into skill->files
  std::vector<std::optional<Result<Bytes>>> bytes;
  bool cut = false; // more files matched than are read
  bool kept = true; // all of them came from the cache

  const Document &document(std::size_t i) const { return skill->files[files[i]]; }
  std::string key(std::size_t i) const { return documentKey(*skill, document(i)); }
};

Json describeFile(const Reading &reading, std::size_t file) {
  const Skill &skill = *reading.skill;
  const std::string &path = skill.filePaths[file];
  Json one{
      {"path", path}, {"uri", skill.uri + "/" + encodePath(path)}, {"mime_type", mimeType(path)}};
  if (skill.files[file].length != UINT64_MAX) one["size"] = skill.files[file].length;
  return one;
}

// Puts the text or, when asked for, the bytes into `one`; counts what it takes of `budget`.
void fill(Json &one, const std::string &bytes, bool base64, std::size_t &budget, bool &truncated,
          std::string &text) {
  const bool isText = isUtf8(bytes) && bytes.find('\0') == std::string::npos;
  one["size"] = bytes.size();
  if (isText) {
    std::string content = bytes;
    const bool cut = truncate(content, budget);
    if (cut) one["truncated"] = truncated = true;
    budget -= std::min(budget, content.size());
    text += content;
    one["content"] = std::move(content);
    return;
  }
  one["binary"] = true;
  const std::size_t needed = (bytes.size() + 2) / 3 * 4;
  if (!base64 || needed > budget) {
    truncated = truncated || base64;
    text += base64
                ? "(binary, too large for one answer)"
                : "(binary, " + std::to_string(bytes.size()) + " bytes; include_base64 sends it)";
    return;
  }
  std::string encoded = encodeBase64(bytes);
  budget -= needed;
  text += "(binary, in structuredContent as base64)";
  one["base64"] = std::move(encoded);
}

void answer(const ToolCall &tool, Reading &reading) {
  // Text appears twice, as data and for the model.
  std::size_t budget = tool.services().settings.limits.responseBytes / 2;
  bool truncated = reading.cut;
  Json documents = Json::array();
  std::string text;
  for (std::size_t i = 0; i < reading.files.size(); ++i) {
    Json one = describeFile(reading, reading.files[i]);
    text += (text.empty() ? "" : "\n\n") + ("== " + one["path"].get<std::string>() + " ==\n");
    const Result<Bytes> &bytes = *reading.bytes[i];
    if (bytes) {
      fill(one, **bytes, reading.base64, budget, truncated, text);
    } else {
      if (bytes.failure().fault == Fault::Stale) tool.services().library.refresh();
      one["error"] = bytes.failure().message;
      text += "(cannot be read: " + bytes.failure().message + ")";
    }
    documents.push_back(std::move(one));
  }
  if (reading.files.size() == 1 && !*reading.bytes[0])
    return tool.fail(reading.bytes[0]->failure());
  const std::size_t count = documents.size();
  ToolResult result = toolResult(
      Json{{"skill_name", reading.name}, {"documents", std::move(documents)}, {"total", count}},
      text);
  result.truncated = truncated;
  result.cached = reading.kept;
  tool.succeed(result);
}

void list(const ToolCall &tool, const Reading &reading) {
  Json documents = Json::array();
  std::string text = "Files of " + reading.name + ":";
  for (std::size_t i = 0; i < reading.skill->files.size(); ++i) {
    documents.push_back(describeFile(reading, i));
    text += "\n- " + reading.skill->filePaths[i];
  }
  const std::size_t count = documents.size();
  tool.succeed(toolResult(
      Json{{"skill_name", reading.name}, {"documents", std::move(documents)}, {"total", count}},
      text));
}

// What the cache does not have comes from the source.
void read(const ToolCall &tool, const std::shared_ptr<Reading> &reading) {
  Cache &cache = tool.services().cache;
  std::vector<Document> documents;
  std::vector<std::size_t> places; // of each of them in reading->files
  reading->bytes.resize(reading->files.size());
  for (std::size_t i = 0; i < reading->files.size(); ++i) {
    if (Bytes kept = cache.get<std::string>(reading->key(i))) {
      reading->bytes[i] = std::move(kept);
    } else {
      documents.push_back(reading->document(i));
      places.push_back(i);
    }
  }
  reading->kept = documents.empty();
  if (reading->kept) return answer(tool, *reading);
  const auto source = tool.services().library.source(reading->skill->source);
  source->readEach(
      tool.options(), std::move(documents), largestDocument,
      [reading, &cache, places](std::size_t read, Result<std::string> bytes) {
        const std::size_t i = places[read];
        if (!bytes) {
          reading->bytes[i] = std::move(bytes).failure();
          return;
        }
        auto document = std::make_shared<const std::string>(*std::move(bytes));
        if (document->size() <= largestKept && !reading->document(i).revision.empty())
          cache.put(reading->key(i), document, sizeof(std::string) + document->capacity());
        reading->bytes[i] = std::move(document);
      },
      [tool, reading] { answer(tool, *reading); });
}

void runReadSkillDocument(const ToolCall &tool) {
  Services &services = tool.services();
  Arguments arguments(tool.arguments(), {"skill_name", "document_path", "include_base64"});
  auto reading = std::make_shared<Reading>();
  const std::string name = arguments.text("skill_name");
  const std::string pattern = arguments.text("document_path", {});
  reading->base64 = arguments.flag("include_base64", false);
  if (!arguments.good()) return tool.fail(arguments.failure());
  tool.call()->about(name + " " + pattern);
  const auto catalogue = tool.call()->catalogue();
  const CatalogueEntry *const entry = catalogue->byName(name);
  if (entry == nullptr) {
    UnknownSkill unknown = unknownSkill(*catalogue, name);
    return tool.fail({Fault::NotFound, std::move(unknown.message)}, std::move(unknown.context));
  }
  reading->skill = entry->skill;
  reading->name = entry->name;
  if (pattern.empty()) return list(tool, *reading);
  const Result<Glob> glob = Glob::compile(pattern);
  if (!glob)
    return tool.fail({Fault::InvalidInput, "arguments.document_path: " + glob.failure().message});
  const Limits &limits = services.settings.limits;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < reading->skill->files.size(); ++i) {
    if (!glob->matches(reading->skill->filePaths[i])) continue;
    const std::uint64_t length = reading->skill->files[i].length;
    if (length != UINT64_MAX) bytes += length;
    // What has no room in the answer is not read either, but for one file, which is cut.
    reading->cut = reading->files.size() >= limits.listItems ||
                   (bytes > limits.responseBytes && !reading->files.empty());
    if (reading->cut) break;
    reading->files.push_back(i);
  }
  if (reading->files.empty())
    return tool.fail({Fault::NotFound, "The skill " + name + " has no file that matches \"" +
                                           pattern.substr(0, 200) +
                                           "\"; leave document_path out to see its files."});
  read(tool, reading);
}

} // namespace

constexpr Tool readSkillDocumentTool{
    "read_skill_document",
    "Read files of a skill",
    "Read files that belong to a skill, as its instructions name them. document_path may be a "
    "pattern (references/*.md, **/*.py); without it the files are listed.",
    ToolCategory::Query,
    true,
    R"({"type":"object","properties":{"skill_name":{"type":"string","minLength":1,"description":"The name as list_skills gives it."},"document_path":{"type":"string","description":"A path relative to the skill, or a pattern: * ? [a-z] {a,b}, ** for any folders. Left out: the files are listed."},"include_base64":{"type":"boolean","default":false,"description":"Send files that are not text as base64."}},"required":["skill_name"],"additionalProperties":false})",
    R"({"type":"object","properties":{"skill_name":{"type":"string"},"documents":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"uri":{"type":"string"},"mime_type":{"type":"string"},"size":{"type":"integer"},"content":{"type":"string"},"base64":{"type":"string"},"binary":{"type":"boolean"},"truncated":{"type":"boolean"},"error":{"type":"string"}},"required":["path","uri","mime_type"]}},"total":{"type":"integer"}},"required":["skill_name","documents","total"]})",
    &runReadSkillDocument};

} // namespace skillhost
