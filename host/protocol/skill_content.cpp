// SPDX-License-Identifier: Apache-2.0
#include "skill_content.hpp"

#include "base/json_text.hpp"
#include "base/sha256.hpp"
#include "services.hpp"
#include "skills/reader_content.hpp"

#include <filesystem>
#include <system_error>

namespace skillhost {
namespace {

constexpr std::size_t largestEntry = 16U << 20U;

struct Files final : SkillFiles {
  explicit Files(const Skill &skill) : skill_(skill) {}
  bool has(std::string_view path) const noexcept override {
    return skill_.fileAt(path) != Skill::npos;
  }
  const Skill &skill_;
};

std::shared_ptr<const PreparedContent> prepare(const Services &services, const Skill &skill,
                                               const std::string &bytes) {
  std::string text = renderText(services, skill, bytes);
  auto prepared = std::make_shared<PreparedContent>();
  const std::size_t limit = services.settings.maxSkillContentCharacters;
  prepared->truncated = limit != 0 && truncate(text, limit);
  auto quoted = std::make_shared<std::string>();
  appendJsonString(*quoted, text);
  quoted->shrink_to_fit();
  prepared->jsonText = std::move(quoted);
  prepared->digest = "sha256:" + sha256Hex(bytes);
  prepared->rawBytes = bytes.size();
  return prepared;
}

// Exactly what it keeps in memory.
std::size_t sizeOf(const PreparedContent &content) {
  return sizeof content + sizeof(std::string) + content.jsonText->capacity() +
         content.digest.capacity();
}

} // namespace

std::string renderText(const Services &services, const Skill &skill, std::string_view text) {
  const Files files(skill);
  const std::string &root = services.settings.projectRoot;
  ReaderContext context{services.settings.paths, skill.folder, skill.uri, root, nullptr, files};
  if (!root.empty())
    context.projectHas = [&root](std::string_view path) {
      std::error_code error;
      return std::filesystem::exists(std::filesystem::path(root) / path, error);
    };
  return renderForReader(text, context);
}

std::optional<Content> keptContent(Services &services, const CatalogueEntry &entry) {
  auto kept = services.cache.get<PreparedContent>(entry.skill->contentKey);
  if (!kept) return std::nullopt;
  return Content{std::move(kept), true};
}

void prepareContent(Services &services, const CatalogueEntry &entry, CallOptions options,
                    Answer<Content> answer) {
  const Skill &skill = *entry.skill;
  const auto source = services.library.source(skill.source);
  if (!source) return answer({Fault::Unavailable, "the source " + skill.source + " is gone"});
  source->read(
      std::move(options), skill.entry, largestEntry,
      [&services, skill = entry.skill, answer = std::move(answer)](Result<std::string> bytes) {
        if (!bytes) {
          if (bytes.failure().fault == Fault::Stale) services.library.refresh();
          return answer(std::move(bytes).failure());
        }
        auto prepared = prepare(services, *skill, *bytes);
        services.cache.put(skill->contentKey, prepared, sizeOf(*prepared));
        answer(Content{std::move(prepared), false});
      });
}

} // namespace skillhost
