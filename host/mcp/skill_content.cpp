// SPDX-License-Identifier: Apache-2.0
#include "skill_content.hpp"

#include "ground/json_text.hpp"
#include "ground/sha256.hpp"
#include "ground/utf8.hpp"
#include "mcp/services.hpp"
#include "skill_tools.hpp"
#include "skills/reader_content.hpp"
#include "skills/skill_heading.hpp"
#include "stale_content.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace skillhost {
namespace {

constexpr std::size_t largestEntry = 16U << 20U;

struct Files final : SkillFiles {
  explicit Files(const Skill &skill) : skill_(skill) {}
  bool has(std::string_view path) const noexcept override {
    return skill_.fileAt(path) != Skill::npos;
  }
  bool hasFolder(std::string_view path) const noexcept override { return skill_.hasFolder(path); }
  const Skill &skill_;
};

// What is read of a skill before it is rendered.
struct Parts {
  std::shared_ptr<const Skill> skill;
  Reach reach;
  std::string entry{};                    // SKILL.md
  std::vector<DescribedScript> scripts{}; // described by their paths until their text has come
};

Reach reachOf(Services &services, const SeenCatalogue &seen, const Skill &skill) {
  if (services.settings.paths == PathStyle::Absolute && !skill.folder.empty()) return Reach::Folder;
  // Where no tool reads documents they are resources still.
  const bool alone = exposed(services, seen) == Expose::Skills;
  return alone ? Reach::Resource : Reach::Tool;
}

std::string renderText(const Services &services, const Skill &skill, std::string_view text,
                       std::size_t body) {
  const Files files(skill);
  const std::string &root = services.settings.projectRoot;
  ReaderContext context{services.settings.paths, skill.folder, skill.uri, root, nullptr, files};
  if (!root.empty())
    context.projectHas = [&root](std::string_view path) {
      std::error_code error;
      return std::filesystem::is_regular_file(std::filesystem::path(root) / path, error);
    };
  return renderForReader(text, body, context);
}

std::shared_ptr<const PreparedContent> prepare(Services &services, const Parts &parts) {
  const Skill &skill = *parts.skill;
  auto prepared = std::make_shared<PreparedContent>();
  // Each part by itself: the body begins elsewhere once the bytes before it are mended.
  const std::size_t offset = std::min(skill.bodyOffset, parts.entry.size());
  std::string text = readableText(parts.entry.substr(0, offset));
  prepared->bodyAt = text.size();
  text += readableText(parts.entry.substr(offset));
  text = renderText(services, skill, text, prepared->bodyAt);
  const std::size_t limit = services.settings.maxSkillContentCharacters;
  prepared->truncated = limit != 0 && truncate(text, limit);
  prepared->bodyAt = std::min(prepared->bodyAt, text.size());
  const std::string heading = mendUtf8(skillHeading(skill, parts.reach, parts.scripts));
  auto quoted = std::make_shared<std::string>();
  appendJsonString(*quoted, heading);
  prepared->headingBytes = heading.size();
  prepared->documentAt = quoted->size() - 1;
  quoted->pop_back();
  std::string document;
  appendJsonString(document, text);
  quoted->append(document, 1);
  quoted->shrink_to_fit();
  prepared->jsonText = std::move(quoted);
  prepared->digest = "sha256:" + sha256Hex(parts.entry);
  prepared->rawBytes = parts.entry.size();
  return prepared;
}

// Whether it is read without asking another machine, and is worth it: a skill must not be kept
// waiting by its scripts, which are described by their names then.
bool isAtHand(const Document &document) {
  return document.length <= longestScript && !document.location.starts_with("https://");
}

// Exactly what it keeps in memory.
std::size_t sizeOf(const PreparedContent &content) {
  return sizeof content + sizeof(std::string) + content.jsonText->capacity() +
         content.digest.capacity();
}

} // namespace

std::optional<Content> keptContent(Services &services, const SeenCatalogue &seen,
                                   const CatalogueEntry &entry) {
  const Skill &skill = *entry.skill;
  auto kept =
      services.cache.get<PreparedContent>(renderedKey(skill, reachOf(services, seen, skill)));
  if (!kept) return std::nullopt;
  return Content{std::move(kept), true};
}

void prepareContent(Services &services, const SeenCatalogue &seen, const CatalogueEntry &entry,
                    CallOptions options, Answer<Content> answer) {
  const auto source = services.library.source(entry.skill->source);
  if (!source)
    return answer({Fault::Unavailable, "the source " + entry.skill->source + " is gone"});
  auto parts = std::make_shared<Parts>(Parts{entry.skill, reachOf(services, seen, *entry.skill)});
  const auto finish = [&services, parts, answer] {
    auto prepared = prepare(services, *parts);
    services.cache.put(renderedKey(*parts->skill, parts->reach), prepared, sizeOf(*prepared));
    answer(Content{std::move(prepared), false});
  };
  const auto entryRead = [&services, source, options, parts, answer = std::move(answer),
                          finish](Result<std::string> bytes) {
    if (!bytes) {
      if (bytes.failure().fault == Fault::Stale) services.library.refresh();
      return answer(std::move(bytes).failure());
    }
    parts->entry = *std::move(bytes);
    std::vector<Document> documents;
    std::vector<std::size_t> places; // of each of them in parts->scripts
    for (const std::size_t file : scriptsOf(*parts->skill)) {
      const Document &document = parts->skill->files[file];
      if (isAtHand(document)) {
        documents.push_back(document);
        places.push_back(parts->scripts.size());
      }
      parts->scripts.push_back({file, describeScript(parts->skill->filePaths[file], {})});
    }
    if (documents.empty()) return finish();
    source->readEach(
        options, std::move(documents), longestScript,
        [parts, places](std::size_t read, const Result<std::string> &script) {
          DescribedScript &one = parts->scripts[places[read]];
          if (script) one.description = describeScript(parts->skill->filePaths[one.file], *script);
        },
        finish);
  };
  source->read(std::move(options), entry.skill->entry(), largestEntry, entryRead);
}

std::string plainText(const PreparedContent &prepared) {
  return Json::parse(*prepared.jsonText).get<std::string>();
}

Fragments documentAlone(const PreparedContent &prepared) {
  Fragments out("\"");
  return out.append(std::string_view(*prepared.jsonText).substr(prepared.documentAt));
}

} // namespace skillhost
