// SPDX-License-Identifier: Apache-2.0
// Serves the extension io.modelcontextprotocol/skills (SEP-2640): skills/list, skills/get,
// resources/directory/read.
#include "access/access.hpp"
#include "access/audience.hpp"
#include "call_members.hpp"
#include "ground/json_text.hpp"
#include "list_order.hpp"
#include "loading.hpp"
#include "mcp/authorization.hpp"
#include "mcp/client_session.hpp"
#include "mcp/services.hpp"
#include "methods.hpp"
#include "params.hpp"
#include "skill_texts.hpp"
#include "skillmd/naming.hpp"
#include "skills/manifest.hpp"
#include "skills/source_skills.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace skillhost {
namespace {

constexpr std::size_t atOnce = 100; // skills whose manifests are computed together

Json ruleAsJson(const VisibilityRule &rule) {
  Json out = Json::object();
  const auto member = [&](const char *name, const std::vector<std::string> &said) {
    if (!said.empty()) out[name] = said;
  };
  member("sources", rule.sources);
  member("categories", rule.categories);
  member("scopes", rule.scopes);
  member("principals", rule.principals);
  member("issuers", rule.issuers);
  return out;
}

// Returns the member of a _meta that says who sees the skill. Only an authenticated manager who
// sees all skills gets it, because rules name other sources too. Otherwise empty.
std::string audienceMember(const Call &call, const Skill &skill) {
  const Access *const access = call.services().access;
  if (access == nullptr || call.principal() == nullptr || !mayManage(call) || !call.seesAll())
    return {};
  const Audience audience = audienceOf(access->visibility().rules(), skill);
  Json said{{"everybody", audience.rules.empty()}};
  if (!audience.rules.empty()) {
    said["needs_all"] = audience.needsAll;
    for (const VisibilityRule &rule : audience.rules) said["rules"].push_back(ruleAsJson(rule));
  }
  return R"("org.skillhost/audience":)" + said.dump();
}

// `further` are other members of its _meta.
std::string describe(const Call &call, const Catalogue &seen, const Skill &skill,
                     const Manifest &manifest, const std::string &further = {}) {
  std::string out = R"({"uri":)";
  appendJsonString(out, skill.uri + "/SKILL.md");
  out += R"(,"frontmatter":)" + skill.fields.frontMatter + R"(,"resources":[)";
  for (std::size_t i = 0; i < manifest.size(); ++i) {
    out += i == 0 ? R"({"uri":)" : R"(,{"uri":)";
    appendJsonString(out, skill.uri + "/" + encodePath(skill.announcedPath(i)));
    out += R"(,"digest":")" + manifest[i].digest + R"(","size":)" +
           std::to_string(manifest[i].size) + "}";
  }
  out += R"(],"_meta":{"org.skillhost/source":)";
  appendJsonString(out, skill.source);
  if (const std::string folder = std::string(skillScheme) + encodePath(skill.id);
      folder != skill.uri)
    appendJsonString(out += R"(,"org.skillhost/folder":)", folder);
  for (const std::string &member : {factsMember(call, seen, skill), further})
    if (!member.empty()) out += ',' + member;
  return out + "}}";
}

// FastMCP's client refuses the whole listing if one skill's allowed-tools are a list. It has the
// name that Python's SDK gives to every client.
bool takesListsOfTools(const Call &call) {
  const std::string name = clientNameOf(call);
  return !name.empty() && name != "mcp";
}

// Adds the skills that are not listed because of a fault to `leftOut`.
ListOrder listed(const Catalogue &catalogue, bool withListsOfTools,
                 std::vector<LeftOutSkill> &leftOut) {
  ListOrder all;
  for (const CatalogueEntry &entry : catalogue.entries()) {
    const Skill &skill = *entry.skill;
    if (entry.listed && (withListsOfTools || !skill.fields.listsTools))
      all.skills.push_back(&entry);
    else if (!skill.fields.hiddenFromModels)
      leftOut.push_back({entry.skill, entry.listed        ? "allowed-tools-not-text"
                                      : skill.byExtension ? "uri-taken"
                                                          : "withheld"});
  }
  return all;
}

// A page of skills/list while it is put together.
struct SkillsPage {
  CallPointer call;
  std::shared_ptr<const Catalogue> catalogue;
  std::vector<std::shared_ptr<const Skill>> skills;
  std::string nextCursor;
  bool dependsOnClient = false; // other clients get more skills, or fewer
  std::size_t done = 0;
  std::string out = R"("skills":[)";
  std::vector<LeftOutSkill> leftOut;
};

// Describes the skills piece by piece. Computed manifests are kept, so a page that takes longer
// than one call may take gets further with the next call.
void describeRest(const std::shared_ptr<SkillsPage> &page) {
  const std::size_t end = std::min(page->skills.size(), page->done + atOnce);
  std::vector<std::shared_ptr<const Skill>> piece(
      page->skills.begin() + static_cast<std::ptrdiff_t>(page->done),
      page->skills.begin() + static_cast<std::ptrdiff_t>(end));
  findManifests(page->call->services().library, std::move(piece), page->call->options(),
                [page, end](const Result<std::vector<ManifestPointer>> &found) {
                  if (!found) return page->call->fail(found.failure());
                  for (const ManifestPointer &manifest : *found) {
                    const std::shared_ptr<const Skill> &skill = page->skills[page->done++];
                    if (manifest)
                      page->out += (page->out.ends_with('[') ? "" : ",") +
                                   describe(*page->call, *page->catalogue, *skill, *manifest);
                    else
                      page->leftOut.push_back({skill, unreadableCode});
                  }
                  if (end < page->skills.size()) return describeRest(page);
                  Caching caching = cachedBriefly;
                  caching.shared = !page->dependsOnClient;
                  answerList(page->call, Fragments(page->out + "]" + page->nextCursor),
                             *page->catalogue, caching, std::move(page->leftOut));
                });
}

// The direct children of one folder: name -> index of the file, or npos for a folder.
using Children = std::map<std::string, std::size_t, std::less<>>;

Children childrenOf(const Skill &skill, const std::string &folder) {
  const std::string below = folder.empty() ? "" : folder + "/";
  Children children;
  for (std::size_t i = 0; i < skill.filePaths.size(); ++i) {
    const std::string_view path = skill.announcedPath(i);
    if (!path.starts_with(below)) continue;
    const std::size_t slash = path.find('/', below.size());
    if (slash == std::string::npos)
      children.emplace(path.substr(below.size()), i);
    else
      children.emplace(path.substr(below.size(), slash - below.size()), Skill::npos);
  }
  return children;
}

// The children are in the order of their names.
ListKeys keysOf(const Children &children) {
  ListKeys keys;
  keys.total = children.size();
  keys.at = [&children](std::size_t i) {
    return std::next(children.begin(), static_cast<std::ptrdiff_t>(i))->first;
  };
  keys.after = [&children](std::string_view name) -> std::optional<std::size_t> {
    return static_cast<std::size_t>(std::distance(children.begin(), children.upper_bound(name)));
  };
  return keys;
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
  call->session().followFiles(); // before the catalogue is taken, so that no later change is missed
  const auto catalogue = call->catalogue();
  const auto answer = std::make_shared<SkillsPage>();
  const ListOrder all = listed(*catalogue, takesListsOfTools(*call), answer->leftOut);
  if (all.size() == 0 && failWhileLoading(call, *catalogue)) return;
  const ListKeys keys = all.keys(*catalogue);
  const Result<Page> page = pageAt(keys, *cursor, services.settings.pageSize);
  if (!page) return call->fail(page.failure());
  answer->call = call;
  answer->catalogue = catalogue;
  answer->dependsOnClient = std::any_of(
      catalogue->entries().begin(), catalogue->entries().end(),
      [](const CatalogueEntry &entry) { return entry.listed && entry.skill->fields.listsTools; });
  for (std::size_t i = page->begin; i < page->end; ++i)
    answer->skills.push_back(all.skills[i]->skill);
  answer->nextCursor = nextCursor(keys, *page);
  describeRest(answer);
}

void methods::getSkill(const CallPointer &call) {
  const auto uri = requiredText(call, "uri");
  if (!uri) return;
  call->addToLogLine(*uri);
  call->session().followFiles();
  const auto catalogue = call->catalogue();
  const CatalogueEntry *const entry = catalogue->byUri(*uri);
  if (entry == nullptr) {
    if (failWhileLoading(call, *catalogue)) return;
    return call->failParams(*uri);
  }
  call->uses({.kind = UseKind::Read, .skill = entry->skill});
  findManifests(
      call->services().library, {entry->skill}, call->options(),
      [call, catalogue, skill = entry->skill](Result<std::vector<ManifestPointer>> found) {
        if (!found) return call->fail(found.failure());
        if (!found->front())
          return call->fail({Fault::Stale, "the files of this skill are changing: try "
                                           "again in a moment"});
        call->result(Fragments(R"("skill":)" + describe(*call, *catalogue, *skill, *found->front(),
                                                        audienceMember(*call, *skill))),
                     cachedBriefly);
      });
}

void methods::readDirectory(const CallPointer &call) {
  const auto uri = requiredText(call, "uri");
  const auto cursor = uri ? cursorOf(call) : std::nullopt;
  if (!cursor) return;
  call->addToLogLine(*uri);
  std::string folderUri = *uri;
  while (folderUri.ends_with('/')) folderUri.pop_back();
  call->session().followFiles();
  const auto catalogue = call->catalogue();
  const FolderReference found = catalogue->folder(folderUri);
  if (found.entry == nullptr) {
    if (failWhileLoading(call, *catalogue)) return;
    return call->failParams(*uri);
  }
  const Skill &skill = *found.entry->skill;
  const Children children = childrenOf(skill, found.path);
  const ListKeys keys = keysOf(children);
  const Result<Page> page = pageAt(keys, *cursor, call->services().settings.pageSize);
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
  call->result(Fragments(out + "]" + nextCursor(keys, *page)), cachedBriefly);
}

} // namespace skillhost
