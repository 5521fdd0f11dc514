// SPDX-License-Identifier: Apache-2.0
#include "skills/skill_reader.hpp"

#include "base/log.hpp"
#include "base/truncation.hpp"
#include "ground/json.hpp"
#include "ground/json_text.hpp"
#include "ground/sha256.hpp"
#include "ground/text.hpp"
#include "ground/utf8.hpp"
#include "skillmd/characters.hpp"
#include "skillmd/front_matter_block.hpp"
#include "skillmd/requirements.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <unordered_map>

namespace skillhost {
namespace {

using Bytes = std::shared_ptr<const std::string>;

constexpr std::size_t maxEntryBytes = 16U << 20U;
constexpr std::size_t maxKeptBytes = 1U << 20U; // bytes of a document that is cached
// Each word of a text may be compared with thousands of files, and larger texts are not cached.
constexpr std::size_t maxRewrittenBytes = 1U << 20U;
constexpr std::size_t maxListedBytes = 1024; // bytes; lists cut no shorter description

// The cache keeps three things: the bytes of a document, the rendered text of a Markdown document,
// and a SKILL.md rendered for readers who get at the files in one way.
std::string documentKey(const Skill &skill, const Document &document) {
  return "document\n" + skill.source + '\n' + document.skill + '\n' + document.path + '\n' +
         document.revision;
}

// The text names other files of the skill, so its key changes with any of them. A copy of a skill
// has the contentKey of the skill, and other paths.
std::string textKey(const Skill &skill, const std::string &path, bool hasFolder) {
  return "text\n" + skill.contentKey + '\n' + (hasFolder ? 'f' : 'u') + path;
}

std::string renderedKey(const Skill &skill, Reach reach) {
  return skill.contentKey + '\n' + static_cast<char>('0' + static_cast<int>(reach));
}

Failure sourceGone(const Skill &skill) {
  return {Fault::Unavailable, "the source " + skill.source + " is gone"};
}

// A file on this machine that cannot be read is a fault of the server. An operator has to correct
// it, because the caller cannot.
Failure failureOf(const Document &document, Failure failure) {
  const bool isLocal = document.location.starts_with('/');
  if (!isLocal || (failure.fault != Fault::Denied && failure.fault != Fault::OperationFailed))
    return failure;
  return {Fault::Internal, "Unable to read " + document.path + " file: " + failure.message};
}

class Files final : public SkillFiles {
public:
  explicit Files(const Skill &skill) : skill_(skill) {}
  bool has(std::string_view path) const noexcept override {
    return skill_.fileAt(path) != Skill::npos;
  }
  bool hasFolder(std::string_view path) const noexcept override { return skill_.hasFolder(path); }
  std::string_view inOtherCase(std::string_view path) const override {
    if (bySmallLetters_.empty()) index();
    const auto found = bySmallLetters_.find(asciiLowered(path));
    return found == bySmallLetters_.end() ? std::string_view{} : found->second;
  }

private:
  // Most texts name only files that exist, so they need no index.
  void index() const {
    bySmallLetters_.reserve(skill_.filePaths.size());
    for (const std::string &file : skill_.filePaths) {
      if (file == entryName) continue;
      const auto [other, fresh] = bySmallLetters_.try_emplace(asciiLowered(file), file);
      if (!fresh) other->second = {}; // several files may be meant
    }
  }

  const Skill &skill_;
  mutable std::unordered_map<std::string, std::string_view> bySmallLetters_;
};

// The parts of a skill that are read before it is rendered.
struct Parts {
  std::shared_ptr<const Skill> skill;
  Reach reach;
  std::string entry{};                    // SKILL.md
  std::vector<DescribedScript> scripts{}; // described by their paths until their text is read
};

// `folder` is the document's folder in the skill; empty if it lies at the top.
std::string renderText(const ReadingRules &rules, const Skill &skill, std::string_view text,
                       std::size_t body, std::string_view folder = {}) {
  if (text.size() > maxRewrittenBytes) return std::string(text);
  const Files files(skill);
  // A project may contain the folders of sources, with files that nobody has reviewed.
  const std::string &root = skill.isFiltered ? std::string() : rules.projectRoot;
  ReaderContext context{rules.paths, skill.folder, skill.uri, root, nullptr, files};
  context.names = namesOf(skill);
  context.documentFolder = folder;
  if (!root.empty())
    context.projectHas = [&root](std::string_view path) {
      std::error_code error;
      return std::filesystem::is_regular_file(std::filesystem::path(root) / path, error);
    };
  return renderForReader(text, body, context);
}

// Returns the text, such as a title, that some authors write above the front matter.
std::string_view textBeforeFrontMatter(std::string_view document) {
  const std::size_t line = document.starts_with("---") ? 0 : document.find("\n---");
  const std::string_view before = document.substr(0, line == npos || line == 0 ? 0 : line + 1);
  return before.find_first_not_of(" \t\r\n\xEF\xBB\xBF") == npos ? std::string_view() : before;
}

std::shared_ptr<const RenderedSkill> renderParts(const ReadingRules &rules, const Parts &parts) {
  const Skill &skill = *parts.skill;
  auto rendered = std::make_shared<RenderedSkill>();
  // Each part is mended separately, because the body moves when the bytes before it are mended.
  std::string room;
  const std::string_view entry = withoutUtf16(parts.entry, room);
  const std::size_t offset = std::min(skill.bodyOffset, entry.size());
  std::string text = readableText(std::string(entry.substr(0, offset)));
  std::size_t body = text.size();
  text += readableText(std::string(entry.substr(offset)));
  text = renderText(rules, skill, text, body);
  rendered->truncated = rules.maxCharacters != 0 && truncate(text, rules.maxCharacters);
  body = std::min(body, text.size());
  while (body < text.size() && (text[body] == '\n' || text[body] == '\r')) ++body;
  if (skill.fields.description.size() > maxListedBytes) body = 0; // lists cut it
  const std::string before(textBeforeFrontMatter(std::string_view(text).substr(0, body)));
  const std::string_view bodyText = std::string_view(text).substr(body);
  const std::string notice = skill.notice.empty() ? std::string() : skill.notice + '\n';
  const std::string heading =
      mendUtf8(notice + requirementLine(skill.fields.frontMatter) +
               skillHeading(placedFilesOf(skill), parts.reach, parts.scripts, bodyText));
  auto quoted = std::make_shared<std::string>();
  appendJsonString(*quoted, heading + before);
  rendered->headingBytes = heading.size();
  rendered->textAt = quoted->size() - 1;
  quoted->pop_back();
  std::string part;
  appendJsonString(part, bodyText);
  quoted->append(part, 1);
  quoted->shrink_to_fit();
  part.clear();
  appendJsonString(part, std::string_view(text).substr(0, body));
  rendered->frontMatter = part.substr(1, part.size() - 2);
  rendered->jsonText = std::move(quoted);
  rendered->digest = "sha256:" + sha256Hex(parts.entry);
  rendered->rawBytes = parts.entry.size();
  return rendered;
}

// True if the script is small and can be read without asking another machine. A skill does not wait
// for other scripts, which are described by their names.
bool isAtHand(const Document &document, Reach reach) {
  return document.length <= maxScriptBytes &&
         (reach == Reach::Folder || !document.location.starts_with("https://"));
}

// Limits the time for copying, so that there is time left for an answer without a copy.
Deadline copyingDeadline(const Deadline &ofCall) {
  constexpr std::chrono::steady_clock::duration maxTime = std::chrono::seconds(5);
  const auto now = Deadline::Clock::now();
  return Deadline::at(now + std::min(maxTime, (ofCall.at() - now) / 2));
}

// Returns exactly how many bytes it keeps in memory.
std::size_t sizeOf(const RenderedSkill &content) {
  return sizeof content + sizeof(std::string) + content.jsonText->capacity() +
         content.digest.capacity() + content.frontMatter.capacity();
}

// True if the skill contains exactly this document (path and revision).
bool hasStill(const Skill *skill, const std::string &path, const Document &document) {
  if (skill == nullptr) return false;
  const std::size_t file = skill->fileAt(path);
  return file != Skill::npos && skill->files[file].revision == document.revision;
}

// True if both have the same SKILL.md and the same files outside of the skills inside them. A
// caller may not see the skills inside; then nothing has changed for that caller.
bool isSame(const Skill &a, const Skill &b) {
  if (a.entry().revision != b.entry().revision) return false;
  const auto own = [](const Skill &skill) {
    std::string all;
    for (std::size_t i = 0; i < skill.files.size(); ++i)
      if (skill.files[i].skill == skill.path)
        ((all += '\0') += skill.filePaths[i] + '\0') += skill.files[i].revision;
    return all;
  };
  return own(a) == own(b);
}

} // namespace

std::string RenderedSkill::plainText() const { return Json::parse(*jsonText).get<std::string>(); }

Fragments RenderedSkill::documentAlone() const {
  Fragments out("\"" + frontMatter);
  return out.append(std::string_view(*jsonText).substr(textAt));
}

void SkillReader::refreshIfStale(const Failure &failure) {
  if (failure.fault == Fault::Stale) library_.refresh();
}

std::shared_ptr<const RenderedSkill> SkillReader::rendered(const Skill &skill, Reach reach) {
  return cache_.get<RenderedSkill>(renderedKey(skill, reach));
}

void SkillReader::render(const std::shared_ptr<const Skill> &skill, Reach reach,
                         CallOptions options, ResultCallback<LoadedContent> answer) {
  const auto source = library_.source(skill->source);
  if (!source) return answer(sourceGone(*skill));
  auto parts = std::make_shared<Parts>(Parts{skill, reach});
  const auto finish = [this, parts, answer] {
    auto made = renderParts(rules_, *parts);
    cache_.put(renderedKey(*parts->skill, parts->reach), made, sizeOf(*made));
    answer(LoadedContent{std::move(made), false});
  };
  const auto entryRead = [this, source, options, parts, answer = std::move(answer),
                          finish](Result<std::string> bytes) {
    if (!bytes) {
      refreshIfStale(bytes.failure());
      return answer(failureOf(parts->skill->entry(), std::move(bytes).failure()));
    }
    parts->entry = *std::move(bytes);
    std::vector<Document> documents;
    std::vector<std::size_t> places; // index of each document in parts->scripts
    const Documents &files = parts->skill->files;
    const auto isExecutable = [&files](std::size_t file) { return files[file].executable; };
    for (const std::size_t file : scriptsAmong(parts->skill->filePaths, isExecutable)) {
      const Document &document = files[file];
      if (isAtHand(document, parts->reach)) {
        documents.push_back(document);
        places.push_back(parts->scripts.size());
      }
      parts->scripts.push_back({file, describeScript(parts->skill->filePaths[file], {})});
    }
    if (documents.empty()) return finish();
    source->readEach(
        options, std::move(documents), maxScriptBytes,
        [parts, places](std::size_t read, const Result<std::string> &script) {
          DescribedScript &one = parts->scripts[places[read]];
          if (script) one.description = describeScript(parts->skill->filePaths[one.file], *script);
        },
        finish);
  };
  source->read(std::move(options), skill->entry(), maxEntryBytes, entryRead);
}

// A skill that cannot be copied is rendered for a reader elsewhere, who reads its files with tools.
void SkillReader::copyAndRender(const std::shared_ptr<const Skill> &skill, Reach remote,
                                const CallOptions &options, const SkillCopies::IsServed &isServed,
                                const ResultCallback<LoadedContent> &answer) {
  const auto finish = [=, this](const Status &status) {
    if (!status && !options.cancel.cancelled())
      log::warning("skills", "the files of " + skill->id +
                                 " are not copied to this machine, read_skill_document reads "
                                 "them: " +
                                 status.failure().message);
    copies_.keepServed(library_.catalogue()); // it may have changed before the copy was registered
    const auto here = onDisk(skill);
    render(here, reachOf(*here, remote), options,
           [answer, isMoved = here != skill](Result<LoadedContent> content) {
             if (content) content->isMoved = isMoved;
             answer(std::move(content));
           });
  };
  const auto source = library_.source(skill->source);
  if (!source) return answer(sourceGone(*skill));
  const std::shared_ptr<SkillDraft> draft = copies_.begin(skill);
  if (draft->hasFailed()) return finish(copies_.take(*draft, isServed));
  CallOptions reading = options;
  reading.deadline = copyingDeadline(options.deadline);
  source->readEach(
      reading, skill->files, maxEntryBytes,
      [draft](std::size_t file, const Result<std::string> &bytes) { draft->write(file, bytes); },
      [this, draft, isServed, finish] { finish(copies_.take(*draft, isServed)); });
}

void SkillReader::read(const std::shared_ptr<const Skill> &skill,
                       const std::vector<std::size_t> &files, std::size_t limit,
                       CallOptions options,
                       const std::function<void(const DocumentBytes &)> &then) {
  auto found = std::make_shared<DocumentBytes>();
  found->each.resize(files.size(), Bytes());
  std::vector<Document> documents;
  std::vector<std::size_t> places; // by document: its index in found->each
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Document &document = skill->files[files[i]];
    if (Bytes kept = cache_.get<std::string>(documentKey(*skill, document));
        kept && kept->size() <= limit) {
      found->each[i] = std::move(kept);
    } else {
      documents.push_back(document);
      places.push_back(i);
    }
  }
  found->cached = documents.empty();
  if (found->cached) return then(*found);
  const auto source = library_.source(skill->source);
  if (!source) {
    for (const std::size_t place : places) found->each[place] = sourceGone(*skill);
    return then(*found);
  }
  source->readEach(
      std::move(options), documents, limit,
      [this, skill, documents, places, found](std::size_t read, Result<std::string> bytes) {
        if (!bytes) {
          refreshIfStale(bytes.failure());
          found->each[places[read]] = failureOf(documents[read], std::move(bytes).failure());
          return;
        }
        auto document = std::make_shared<const std::string>(*std::move(bytes));
        if (document->size() <= maxKeptBytes && !documents[read].revision.empty())
          cache_.put(documentKey(*skill, documents[read]), document,
                     sizeof(std::string) + document->capacity());
        found->each[places[read]] = std::move(document);
      },
      [found, then] { then(*found); });
}

bool SkillReader::isRewritten(std::string_view path) noexcept {
  return path.ends_with(".md") || path.ends_with(".markdown");
}

std::shared_ptr<const std::string>
SkillReader::textFor(const Skill &skill, std::size_t file,
                     const std::shared_ptr<const std::string> &bytes) {
  const std::string &path = skill.filePaths[file];
  if (!isRewritten(path) || bytes->size() > maxRewrittenBytes) return bytes;
  std::string key = textKey(skill, path, !skill.folder.empty());
  if (Bytes kept = cache_.get<std::string>(key)) return kept;
  if (!isUtf8(*bytes)) return bytes;
  const std::size_t slash = path.rfind('/');
  const auto text = std::make_shared<const std::string>(
      renderText(rules_, skill, *bytes, findFrontMatter(*bytes).bodyOffset,
                 std::string_view(path).substr(0, slash == npos ? 0 : slash)));
  if (text->size() <= maxKeptBytes && !skill.files[file].revision.empty())
    cache_.put(std::move(key), text, sizeof(std::string) + text->capacity());
  return text;
}

void SkillReader::dropUnserved(const std::shared_ptr<const Catalogue> &now,
                               const Catalogue &before) {
  copies_.keepServed(now);
  if (cache_.statistics().entries == 0) return;
  for (const CatalogueEntry &entry : before.entries()) {
    const Skill &was = *entry.skill;
    const CatalogueEntry *const current = now->byId(was.id);
    const Skill *const is = current == nullptr ? nullptr : current->skill.get();
    if (is == &was) continue; // an unchanged skill is the same object in both
    const bool isOther = is == nullptr || (is->contentKey != was.contentKey && !isSame(*is, was));
    if (isOther)
      for (const Reach reach : {Reach::Folder, Reach::Tool, Reach::Resource})
        cache_.erase(renderedKey(was, reach));
    for (std::size_t i = 0; i < was.files.size(); ++i) {
      const std::string &path = was.filePaths[i];
      const bool isGone = !hasStill(is, path, was.files[i]);
      if (isGone) cache_.erase(documentKey(was, was.files[i]));
      if ((isGone || isOther) && isRewritten(path))
        for (const bool hasFolder : {false, true}) cache_.erase(textKey(was, path, hasFolder));
    }
  }
}

} // namespace skillhost
