// SPDX-License-Identifier: Apache-2.0
#include "base/truncation.hpp"
#include "document_parts.hpp"
#include "ground/counted.hpp"
#include "loading.hpp"
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "mcp/tool.hpp"
#include "skill_texts.hpp"
#include "skillmd/document_choice.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace skillhost {
namespace {

constexpr std::size_t largestDocument = 16U << 20U;
// A skill is sent whole, but its documents in parts that leave room for work in a model's context.
constexpr std::size_t longestDocuments = 100'000;

// The documents of one call.
struct Reading {
  std::shared_ptr<const Skill> skill;
  std::string name;
  bool base64 = false;
  std::size_t offset = 0;         // into the one document
  std::vector<std::size_t> files; // indices into skill->files
  std::vector<bool> large;        // by file: true if it has no room beside the others
  std::size_t left = 0;           // other matching files, which are only counted
};

// The words around the documents take a part of the room.
DocumentRoom roomFor(const ToolCall &tool) {
  const auto without = [](std::size_t room) {
    constexpr std::size_t around = 600;
    return room - std::min(room, around);
  };
  const std::size_t forms = tool.form() == ResultForm::Both ? 2 : 1;
  return {without(tool.services().settings.limits.responseBytes),
          without(tool.roomForText(readSkillDocumentTool)), forms};
}

void answerDocuments(const ToolCall &tool, const Reading &reading, const DocumentBytes &read) {
  if (reading.files.size() == 1 && !read.each[0]) return tool.fail(read.each[0].failure());
  SkillReader &reader = tool.services().reader;
  DocumentParts parts(roomFor(tool), "read_skill_document with skill_name \"" + reading.name + '"',
                      reader.folderOf(*reading.skill));
  const DocumentParts::Wanted wanted{reading.base64, reading.files.size() == 1, reading.offset};
  auto bytes = read.each.begin();
  for (std::size_t i = 0; i < reading.files.size(); ++i) {
    Json one = describeFile(*reading.skill, reading.files[i]);
    if (reading.large[i]) {
      parts.addTooLarge(std::move(one));
      continue;
    }
    const auto &document = *bytes++;
    if (!document) {
      parts.addFailure(std::move(one), failureForCaller(*tool.call(), document.failure()).message);
      continue;
    }
    const auto text = reader.textFor(*reading.skill, reading.files[i], *document);
    if (!parts.add(std::move(one), *text, wanted))
      return tool.fail({Fault::InvalidInput, "arguments.offset: " + std::to_string(reading.offset) +
                                                 " is past the end; the document has " +
                                                 counted(text->size(), "byte")});
  }
  Json data{{"skill_name", reading.name}, {"documents", std::move(parts.documents)}};
  data["total"] = data["documents"].size();
  if (reading.left != 0) {
    data["not_read"] = reading.left;
    parts.text += "\n\n" + std::string(truncationMark) + "\n" + std::to_string(reading.left) +
                  (reading.left == 1 ? " more file matches: ask for it by its own path."
                                     : " more files match: ask for them by their own paths.");
  }
  ToolResult result = toolResult(data, parts.text);
  result.blocks = Fragments(parts.images);
  result.truncated = parts.truncated || reading.left != 0;
  result.cached = read.cached;
  tool.succeed(result);
}

void list(const ToolCall &tool, const Reading &reading, const std::string &folder) {
  Json documents = Json::array();
  std::string text = "Files of " + reading.name + (folder.empty() ? "" : " in " + folder) + ":";
  const std::size_t count = reading.files.size();
  const std::size_t most = std::min(count, tool.services().settings.limits.listItems);
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t file = reading.files[i];
    Json one = describeFile(*reading.skill, file);
    text += "\n- " + reading.skill->filePaths[file];
    if (const auto size = one.find("size"); size != one.end())
      text += " (" + counted(size->get<std::size_t>(), "byte") + ")";
    documents.push_back(std::move(one));
  }
  if (most < count)
    text += "\n" + std::string(truncationMark) + "\n" + std::to_string(count - most) +
            " more: list a folder, or ask for some with a pattern.";
  ToolResult result = toolResult(
      Json{{"skill_name", reading.name}, {"documents", std::move(documents)}, {"total", count}},
      text);
  result.truncated = most < count;
  tool.succeed(result);
}

// Leaves out files that have no room beside the others, so that small ones behind them are read.
std::vector<std::size_t> filesToRead(Reading &reading, const Limits &limits) {
  if (reading.files.size() > limits.listItems) {
    reading.left = reading.files.size() - limits.listItems;
    reading.files.resize(limits.listItems);
  }
  std::vector<std::size_t> toRead;
  std::uint64_t bytes = 0;
  for (const std::size_t file : reading.files) {
    const std::uint64_t known = reading.skill->files[file].length;
    const std::uint64_t length = known == UINT64_MAX ? 0 : known;
    const bool large = reading.files.size() > 1 && length > limits.responseBytes - bytes;
    reading.large.push_back(large);
    if (large) continue;
    bytes += std::min<std::uint64_t>(length, limits.responseBytes - bytes);
    toRead.push_back(file);
  }
  return toRead;
}

void runReadSkillDocument(const ToolCall &tool) {
  Services &services = tool.services();
  Arguments arguments(tool.arguments(),
                      {"skill_name", "document_path", "include_base64", "offset"});
  auto reading = std::make_shared<Reading>();
  const std::string name = arguments.text("skill_name");
  const std::string path = arguments.text("document_path", {});
  reading->base64 = arguments.flag("include_base64", false);
  reading->offset = static_cast<std::size_t>(arguments.integer("offset", 0, 0, INT64_MAX));
  if (!arguments.good()) return tool.fail(arguments.failure());
  tool.call()->addToLogLine(name + " " + path);
  const auto catalogue = tool.call()->catalogue();
  const CatalogueEntry *const entry = catalogue->byName(name);
  tool.call()->uses({.kind = UseKind::Read});
  if (entry == nullptr) return failUnknownSkill(tool, *catalogue, name);
  tool.call()->uses({.kind = UseKind::Read, .skill = entry->skill});
  reading->skill = services.reader.onDisk(entry->skill);
  reading->name = entry->name;
  Result<DocumentChoice> choice =
      chooseDocuments(placedFilesOf(*reading->skill), path, services.reader.local());
  if (!choice) {
    Failure failure = std::move(choice).failure();
    if (failure.fault == Fault::NotFound)
      failure.message.insert(0, "The skill " + entry->name + ": ");
    return tool.fail(failure);
  }
  reading->files = std::move(choice->files);
  if (choice->folder) return list(tool, *reading, path);
  if (reading->offset != 0 && reading->files.size() != 1)
    return tool.fail(
        {Fault::InvalidInput, "arguments.offset: goes with the path of one document; " +
                                  std::to_string(reading->files.size()) + " match"});
  services.reader.read(reading->skill, filesToRead(*reading, services.settings.limits),
                       largestDocument, tool.options(), [tool, reading](const DocumentBytes &read) {
                         answerDocuments(tool, *reading, read);
                       });
}

} // namespace

constexpr Tool readSkillDocumentTool{
    "read_skill_document",
    "Read files of a skill",
    "Read files that belong to a skill, as its instructions name them. document_path may be a "
    "pattern (references/*.md, **/*.py); of a folder, or without it, the files are listed. Images "
    "are shown; a long document is read on with offset.",
    ToolCategory::Query,
    Permission::Read,
    true,
    R"({"type":"object","properties":{"skill_name":{"type":"string","minLength":1,"description":"The name as list_skills gives it."},"document_path":{"type":"string","description":"A path as the skill's text has it (relative, absolute, or a skill:// URI), or a pattern: * ? [a-z] {a,b}, ** for any folders. A folder, or left out: the files are listed."},"include_base64":{"type":"boolean","default":false,"description":"Send files that are not text as base64."},"offset":{"type":"integer","minimum":0,"default":0,"description":"Where to read on in one long document: next_offset of the answer before."}},"required":["skill_name"],"additionalProperties":false})",
    R"({"type":"object","properties":{"skill_name":{"type":"string"},"documents":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"uri":{"type":"string"},"mime_type":{"type":"string"},"size":{"type":"integer","description":"Bytes of the file; beside offset those of what is sent in parts: in Markdown paths are rewritten, and offset, next_offset and size count the rewritten text."},"content":{"type":"string"},"base64":{"type":"string"},"binary":{"type":"boolean"},"truncated":{"type":"boolean"},"offset":{"type":"integer"},"next_offset":{"type":"integer"},"error":{"type":"string"}},"required":["path","uri","mime_type"]}},"total":{"type":"integer"},"not_read":{"type":"integer"}},"required":["skill_name","documents","total"]})",
    &runReadSkillDocument,
    {},
    {},
    longestDocuments};

} // namespace skillhost
