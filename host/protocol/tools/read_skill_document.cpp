// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"
#include "base64.hpp"
#include "client_session.hpp"
#include "services.hpp"
#include "skill_texts.hpp"
#include "skills/glob.hpp"
#include "skills/naming.hpp"
#include "tool.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace skillhost {
namespace {

constexpr std::size_t largestDocument = 16U << 20U;

// The documents of one call, gathered from the source's lane.
struct Reading {
  std::shared_ptr<const Skill> skill;
  std::string name;
  bool base64 = false;
  std::vector<std::size_t> files; // indices into skill->files
  std::vector<std::optional<Result<std::string>>> bytes;
  bool cut = false; // more files matched than are read
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
    const Result<std::string> &bytes = *reading.bytes[i];
    if (bytes) {
      fill(one, *bytes, reading.base64, budget, truncated, text);
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

void read(const ToolCall &tool, const std::shared_ptr<Reading> &reading) {
  const auto source = tool.services().library.source(reading->skill->source);
  std::vector<Document> documents;
  for (const std::size_t file : reading->files) documents.push_back(reading->skill->files[file]);
  reading->bytes.resize(documents.size());
  source->readEach(
      tool.options(), std::move(documents), largestDocument,
      [reading](std::size_t i, Result<std::string> bytes) { reading->bytes[i] = std::move(bytes); },
      [tool, reading] { answer(tool, *reading); });
}

void run(const ToolCall &tool) {
  Services &services = tool.services();
  Arguments arguments(tool.arguments(), {"skill_name", "document_path", "include_base64"});
  auto reading = std::make_shared<Reading>();
  const std::string name = arguments.text("skill_name");
  const std::string pattern = arguments.text("document_path", {});
  reading->base64 = arguments.flag("include_base64", false);
  if (!arguments.good()) return tool.fail(arguments.failure());
  tool.call()->about(name + " " + pattern);
  const auto catalogue = services.library.catalogue();
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
    &run};

} // namespace skillhost
