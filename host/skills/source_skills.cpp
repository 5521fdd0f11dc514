// SPDX-License-Identifier: Apache-2.0
#include "skills/source_skills.hpp"

#include "ground/blake3.hpp"
#include "ground/utf8.hpp"
#include "skillmd/content_findings.hpp"
#include "skillmd/front_matter.hpp"
#include "skillmd/naming.hpp"
#include "skills/provenance.hpp"
#include "skills/search_texts.hpp"

#include <algorithm>
#include <set>

namespace skillhost {
namespace {

std::string fileName(const Document &document) {
  return document.location.empty() ? document.skill + "/" + document.path : document.location;
}

std::string parentOf(const std::string &path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

// Adds every file below the skill's folder, including those of skills nested inside it.
void gatherFiles(const SourceSkills &all, Skill &skill, const Document &entry) {
  const std::string below = skill.path + "/";
  const Documents &own = all.documents.at(skill.path);
  auto inside = all.documents.lower_bound(below);
  const auto isInside = [&] {
    return inside != all.documents.end() && inside->first.starts_with(below);
  };
  if (!isInside()) {
    skill.files = own; // they are in this order already
    for (const Document &document : own) skill.filePaths.push_back(document.path);
  } else {
    std::vector<std::pair<std::string, const Document *>> found;
    for (const Document &document : own) found.emplace_back(document.path, &document);
    for (; isInside(); ++inside)
      for (const Document &document : inside->second)
        found.emplace_back(inside->first.substr(below.size()) + "/" + document.path, &document);
    std::sort(found.begin(), found.end());
    Documents::List files;
    for (auto &[path, document] : found) {
      skill.filePaths.push_back(std::move(path));
      files.push_back(*document);
    }
    skill.files = std::move(files);
  }
  skill.filePaths.shrink_to_fit();
  const auto at = std::lower_bound(skill.filePaths.begin(), skill.filePaths.end(), entry.path);
  skill.entryAt = static_cast<std::size_t>(at - skill.filePaths.begin());
}

Finding withheld(const std::string &file, std::string code, std::string message,
                 std::string advice) {
  return {Severity::Warning, std::move(code), file, 0, 0, std::move(message), std::move(advice)};
}

bool isError(const Finding &finding) noexcept { return finding.severity == Severity::Error; }

std::string textOf(const std::map<std::string, std::string> &texts, const std::string &path) {
  const auto found = texts.find(path);
  return found == texts.end() ? std::string() : found->second;
}

std::string ownFacts(const SourceSkills &all, const std::string &path) {
  if (path == allSkills) return {}; // these are the facts of all skills
  return textOf(all.facts, path);
}

Finding findingOf(const std::string &skill, const SkillRefusal &why) {
  return {Severity::Error, why.code, skill, 0, 0, why.message, why.advice, why.command};
}

std::uint64_t bytesOf(const Skill &skill) noexcept {
  std::uint64_t bytes = 0;
  for (const Document &document : skill.files)
    if (document.length != UINT64_MAX) bytes += document.length;
  return bytes;
}

// Checks the limits of the skills extension that depend on the files.
void checkSize(Skill &skill, const SkillRules &rules) {
  const std::string file = fileName(skill.entry());
  if (skill.entry().path != entryName &&
      std::binary_search(skill.filePaths.begin(), skill.filePaths.end(), entryName)) {
    skill.keepsRules = false;
    skill.findings.push_back(
        withheld(file, "entry-twice",
                 "the skill is " + skill.entry().path + " and has a file SKILL.md beside it",
                 "keep one of them, as SKILL.md"));
  }
  skill.byExtension = skill.keepsRules && !exceedsExtensionLimits(skill, rules);
  if (skill.files.size() > rules.maxFiles)
    skill.findings.push_back(withheld(file, "too-many-files",
                                      "the skill has " + std::to_string(skill.files.size()) +
                                          " files; at most " + std::to_string(rules.maxFiles) +
                                          " are served by the skills extension",
                                      "move what the skill does not need out of its folder"));
  if (const std::uint64_t bytes = bytesOf(skill); bytes > rules.maxBytes)
    skill.findings.push_back(withheld(file, "too-large",
                                      "the skill has " + std::to_string(bytes) +
                                          " bytes; at most " + std::to_string(rules.maxBytes) +
                                          " are served by the skills extension",
                                      "move what the skill does not need out of its folder"));
}

// Returns the skills with a changed file, either their own or that of a skill nested inside them.
std::set<std::string, std::less<>> changedSkills(const SourceSkills &now,
                                                 const SourceSkills &before) {
  std::set<std::string, std::less<>> changed;
  const auto add = [&](std::string_view path) {
    for (;; path = path.substr(0, path.rfind('/'))) {
      changed.emplace(path);
      if (path.find('/') == std::string_view::npos) return;
    }
  };
  auto is = now.documents.begin();
  auto was = before.documents.begin();
  while (is != now.documents.end() || was != before.documents.end()) {
    const int order = is == now.documents.end()       ? 1
                      : was == before.documents.end() ? -1
                                                      : is->first.compare(was->first);
    if (order != 0 || is->second != was->second) add(order <= 0 ? is->first : was->first);
    if (order <= 0) ++is;
    if (order >= 0) ++was;
  }
  return changed;
}

// Moves on to `key`, which must come after those asked for before; false if it is not there.
template <class Map>
bool forwardTo(typename Map::const_iterator &at, const Map &map, const std::string &key) {
  while (at != map.end() && at->first < key) ++at;
  return at != map.end() && at->first == key;
}

// True if only the reading failed, so that another try may succeed.
bool mayBeReadNow(const std::vector<Finding> &findings) {
  return findings.size() == 1 && findings.front().code == unreadableCode;
}

} // namespace

bool exceedsExtensionLimits(const Skill &skill, const SkillRules &rules) noexcept {
  return skill.files.size() > rules.maxFiles || bytesOf(skill) > rules.maxBytes;
}

SourceDocuments groupBySkill(Snapshot snapshot) {
  SourceDocuments listing{std::move(snapshot.revision),
                          {},
                          std::move(snapshot.facts),
                          std::move(snapshot.refused),
                          std::move(snapshot.notices)};
  auto last = listing.documents.end();
  for (Document &document : snapshot.documents) { // mostly sorted by skill
    if (last == listing.documents.end() || last->first != document.skill)
      last = listing.documents.try_emplace(listing.documents.end(), document.skill);
    last->second.push_back(std::move(document));
  }
  return listing;
}

SourceDocuments applyChanges(const SourceSkills &before, Changes changes) {
  SourceDocuments listing{
      std::move(changes.revision), before.documents, std::move(changes.facts), {}, before.notices};
  std::map<std::string, std::map<std::string, Document>> changed; // by skill, then by path
  const auto skillOf = [&](const Document &document) -> std::map<std::string, Document> & {
    const auto [skill, isNew] = changed.try_emplace(document.skill);
    const auto was = before.documents.find(document.skill);
    if (isNew && was != before.documents.end())
      for (const Document &one : was->second) skill->second[one.path] = one;
    return skill->second;
  };
  for (const Document &document : changes.removed) skillOf(document).erase(document.path);
  for (Document &document : changes.added) skillOf(document)[document.path] = std::move(document);
  for (auto &[skill, files] : changed) {
    Documents::List list;
    for (auto &[path, document] : files) list.push_back(std::move(document));
    if (list.empty())
      listing.documents.erase(skill);
    else
      listing.documents.insert_or_assign(skill, std::move(list));
  }
  return listing;
}

SourceDocuments documentsOf(const SourceSkills &skills) {
  return {skills.revision, skills.documents, skills.facts, skills.refused, skills.notices};
}

PendingSkills reuseUnchanged(const std::string &source, SourceDocuments listing,
                             const SourceSkills *before, const SkillRules &rules) {
  PendingSkills pending;
  SourceSkills &now = pending.skills;
  now.source = source;
  now.revision = std::move(listing.revision);
  now.documents = std::move(listing.documents);
  now.facts = std::move(listing.facts);
  now.refused = std::move(listing.refused);
  now.notices = std::move(listing.notices);
  for (const auto &[path, why] : now.refused)
    if (!rules.isWanted || rules.isWanted(source + "/" + path))
      now.skipped[path] = {findingOf(source + "/" + path, why)};
  static const SourceSkills nothing;
  const SourceSkills &known = before != nullptr ? *before : nothing;
  const std::set<std::string, std::less<>> changed = changedSkills(now, known);
  auto documentsKnown = known.documents.begin();
  auto skillKnown = known.skills.begin();
  for (auto &[path, documents] : now.documents) {
    const auto entries = std::count_if(documents.begin(), documents.end(),
                                       [](const Document &d) { return d.entry; });
    if (rules.isWanted && !rules.isWanted(source + "/" + path)) continue;
    if (entries != 1) {
      now.skipped[path] = {{Severity::Error, "no-entry", source + "/" + path, 0, 0,
                            entries == 0 ? "the source lists files but no SKILL.md"
                                         : "the source lists more than one SKILL.md",
                            "report it to the author of the source's plugin"}};
      continue;
    }
    if (!changed.contains(path) && ownFacts(now, path) == ownFacts(known, path) &&
        textOf(now.notices, path) == textOf(known.notices, path)) {
      if (forwardTo(documentsKnown, known.documents, path))
        documents = documentsKnown->second; // the skill holds these too
      if (forwardTo(skillKnown, known.skills, path)) {
        now.skills.insert(now.skills.end(), *skillKnown);
        continue;
      }
      const auto skipped = known.skipped.find(path);
      if (skipped != known.skipped.end() && !mayBeReadNow(skipped->second)) {
        now.skipped.insert(*skipped);
        continue;
      }
    }
    pending.unread.push_back(&*std::find_if(documents.begin(), documents.end(),
                                            [](const Document &d) { return d.entry; }));
  }
  return pending;
}

void keepPrevious(SourceSkills &now, const SourceSkills *before,
                  const std::vector<std::string> &paths) {
  now.revision = before != nullptr ? before->revision : std::string();
  for (const std::string &path : paths) {
    if (before == nullptr || !before->documents.contains(path)) {
      now.documents.erase(path);
      continue;
    }
    now.documents[path] = before->documents.at(path);
    if (const auto skill = before->skills.find(path); skill != before->skills.end()) {
      now.skills.insert_or_assign(path, skill->second);
      now.skipped.erase(path);
    }
  }
}

ReadSkill readSkill(const SourceSkills &all, const Document &entry, std::string_view bytes,
                    const SkillRules &rules) {
  const std::string file = fileName(entry);
  FrontMatterResult parsed = parseFrontMatter(bytes, file, rules.strictness);
  if (!parsed.frontMatter) return {nullptr, std::move(parsed.findings)};
  const std::string folderName = entry.skill.substr(entry.skill.rfind('/') + 1);
  Assessment assessed = assess(*parsed.frontMatter, folderName, file, rules.strictness);
  std::vector<Finding> findings = std::move(parsed.findings);
  findings.insert(findings.end(), std::make_move_iterator(assessed.findings.begin()),
                  std::make_move_iterator(assessed.findings.end()));
  std::string room;
  const bool isKnown = std::any_of(findings.begin(), findings.end(),
                                   [](const Finding &one) { return one.code == notUtf8Code; });
  if (auto encoding = inspectEncoding(withoutUtf16(bytes, room), file, rules.strictness);
      encoding && !isKnown)
    findings.push_back(*std::move(encoding));
  if (rules.strictness == Strictness::Basic && entry.path != entryName)
    findings.push_back({Severity::Error, "entry-name", file, 0, 0,
                        "the document of a skill is called SKILL.md", "rename it"});
  if (!assessed.fields || std::any_of(findings.begin(), findings.end(), isError))
    return {nullptr, std::move(findings)};
  auto skill = std::make_shared<Skill>();
  skill->id = all.source + "/" + entry.skill;
  skill->source = all.source;
  skill->path = entry.skill;
  skill->uri = skillUri(all.source, entry.skill, assessed.fields->name);
  skill->isFiltered = all.isFiltered;
  if (entry.location.starts_with('/') && !all.isFiltered) skill->folder = parentOf(entry.location);
  skill->fields = *std::move(assessed.fields);
  skill->facts = ownFacts(all, entry.skill);
  skill->notice = textOf(all.notices, entry.skill);
  skill->entryBytes = bytes.size();
  skill->entryDigest = blake3Hex(bytes);
  skill->bodyOffset = parsed.frontMatter->bodyOffset;
  skill->searchRevision = searchRevisionOf(*skill);
  skill->estimatedTokens = bytes.size() / 4;
  skill->keepsRules = assessed.servedByExtension;
  skill->findings = std::move(findings);
  gatherFiles(all, *skill, entry);
  skill->contentKey = contentKeyOf(*skill);
  checkSize(*skill, rules);
  // There may be very many skills, and each is kept for long, so they give back spare memory.
  for (std::string *const text :
       {&skill->id, &skill->uri, &skill->folder, &skill->fields.name, &skill->fields.toolName,
        &skill->fields.title, &skill->fields.description, &skill->fields.frontMatter})
    text->shrink_to_fit();
  skill->findings.shrink_to_fit();
  return {std::move(skill), {}};
}

ReadSkill unreadable(const Document &entry, const std::string &why) {
  return {nullptr,
          {{Severity::Error, unreadableCode, fileName(entry), 0, 0,
            std::string(unreadableWords) + why, "check that the file exists and may be read"}}};
}

} // namespace skillhost
