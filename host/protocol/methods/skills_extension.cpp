// SPDX-License-Identifier: Apache-2.0
// The extension io.modelcontextprotocol/skills (SEP-2640): skills/list, skills/get,
// resources/directory/read.
#include "base/json_text.hpp"
#include "client_session.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "services.hpp"
#include "skill_texts.hpp"
#include "skills/manifest.hpp"
#include "skills/naming.hpp"

#include <map>

namespace skillhost {
namespace {

constexpr std::size_t mostSkills = 100; // of one page: its manifests are computed together

std::string describe(const Skill &skill, const Manifest &manifest) {
  std::string out = R"({"uri":)";
  appendJsonString(out, skill.uri + "/SKILL.md");
  out += R"(,"frontmatter":)" +
         skill.fields.frontMatter.dump(-1, ' ', false, Json::error_handler_t::replace) +
         R"(,"resources":[)";
  for (std::size_t i = 0; i < manifest.size(); ++i) {
    out += i == 0 ? R"({"uri":)" : R"(,{"uri":)";
    appendJsonString(out, skill.uri + "/" + encodePath(skill.filePaths[i]));
    out += R"(,"digest":")" + manifest[i].digest + R"(","size":)" +
           std::to_string(manifest[i].size) + "}";
  }
  out += R"(],"_meta":{"org.skillhost/source":)";
  appendJsonString(out, skill.source);
  if (const std::string facts = factsMember(skill); !facts.empty()) out += ',' + facts;
  return out + "}}";
}

std::vector<std::shared_ptr<const Skill>> listed(const Catalogue &catalogue) {
  std::vector<std::shared_ptr<const Skill>> all;
  for (const CatalogueEntry &entry : catalogue.entries())
    if (entry.listed) all.push_back(entry.skill);
  return all;
}

// The direct children of one folder: name -> the file it is, or npos for a folder.
using Children = std::map<std::string, std::size_t, std::less<>>;

Children childrenOf(const Skill &skill, const std::string &folder) {
  const std::string below = folder.empty() ? "" : folder + "/";
  Children children;
  for (std::size_t i = 0; i < skill.filePaths.size(); ++i) {
    const std::string &path = skill.filePaths[i];
    if (!path.starts_with(below)) continue;
    const std::size_t slash = path.find('/', below.size());
    if (slash == std::string::npos)
      children.emplace(path.substr(below.size()), i);
    else
      children.emplace(path.substr(below.size(), slash - below.size()), Skill::npos);
  }
  return children;
}

std::string describeChild(const Skill &skill, const std::string &folderUri, const std::string &name,
                          std::size_t file) {
  Json child{{"uri", folderUri + "/" + encodePath(name)}, {"name", name}};
  child["mimeType"] = file == Skill::npos ? "inode/directory" : mimeType(name);
  if (file != Skill::npos && skill.files[file].length != UINT64_MAX)
    child["size"] = skill.files[file].length;
  return child.dump();
}

} // namespace

void methods::listSkills(const CallPointer &call) {
  const auto cursor = cursorOf(call);
  if (!cursor) return;
  Services &services = call->services();
  const auto catalogue = call->catalogue();
  const auto all = listed(*catalogue);
  const Result<Page> page =
      pageAt(*catalogue, *cursor, std::min(mostSkills, services.settings.pageSize), all.size());
  if (!page) return call->fail(page.failure());
  std::vector<std::shared_ptr<const Skill>> skills(
      all.begin() + static_cast<std::ptrdiff_t>(page->begin),
      all.begin() + static_cast<std::ptrdiff_t>(page->end));
  findManifests(
      services.library, skills, call->options(),
      [call, skills, catalogue, page = *page](Result<std::vector<ManifestPointer>> found) {
        if (!found) return call->fail(found.failure());
        std::string out = R"("skills":[)";
        bool first = true;
        for (std::size_t i = 0; i < skills.size(); ++i) {
          if (!(*found)[i]) continue;
          out += first ? "" : ",";
          out += describe(*skills[i], *(*found)[i]);
          first = false;
        }
        out += "]" + nextCursor(*catalogue, page);
        call->result(Fragments(out), cachedBriefly);
      });
}

void methods::getSkill(const CallPointer &call) {
  const auto uri = requiredText(call, "uri");
  if (!uri) return;
  call->about(*uri);
  const auto catalogue = call->catalogue();
  const CatalogueEntry *const entry = catalogue->byUri(*uri);
  if (entry == nullptr) return call->failParams(*uri);
  findManifests(call->services().library, {entry->skill}, call->options(),
                [call, skill = entry->skill](Result<std::vector<ManifestPointer>> found) {
                  if (!found) return call->fail(found.failure());
                  if (!found->front())
                    return call->fail({Fault::Stale, "the files of this skill are changing: try "
                                                     "again in a moment"});
                  call->result(Fragments(R"("skill":)" + describe(*skill, *found->front())),
                               cachedBriefly);
                });
}

void methods::readDirectory(const CallPointer &call) {
  const auto uri = requiredText(call, "uri");
  const auto cursor = uri ? cursorOf(call) : std::nullopt;
  if (!cursor) return;
  call->about(*uri);
  std::string folderUri = *uri;
  while (folderUri.ends_with('/')) folderUri.pop_back();
  const auto catalogue = call->catalogue();
  const FolderReference found = catalogue->folder(folderUri);
  if (found.entry == nullptr) return call->failParams(*uri);
  const Skill &skill = *found.entry->skill;
  const Children children = childrenOf(skill, found.path);
  const Result<Page> page =
      pageAt(*catalogue, *cursor, call->services().settings.pageSize, children.size());
  if (!page) return call->fail(page.failure());
  std::string out = R"("resources":[)";
  std::size_t i = 0;
  for (const auto &[name, file] : children) {
    if (i >= page->begin && i < page->end) {
      out += i == page->begin ? "" : ",";
      out += describeChild(skill, folderUri, name, file);
    }
    ++i;
  }
  call->result(Fragments(out + "]" + nextCursor(*catalogue, *page)), cachedBriefly);
}

} // namespace skillhost
