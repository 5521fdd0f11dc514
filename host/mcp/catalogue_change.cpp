// SPDX-License-Identifier: Apache-2.0
#include "catalogue_change.hpp"

#include "access/access.hpp"
#include "listed_texts.hpp"
#include "mcp/plugin_tools_view.hpp"
#include "mcp/services.hpp"
#include "skill_tools.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace skillhost {
namespace {

// True if everything that describes tools and prompts is the same. Faster than describing them.
bool sameWords(const CatalogueEntry &a, const CatalogueEntry &b) {
  const SkillFields &x = a.skill->fields, &y = b.skill->fields;
  return a.name == b.name && a.skill->id == b.skill->id && x.name == y.name && x.title == y.title &&
         x.description == y.description && x.frontMatter == y.frontMatter;
}

bool sameTool(const CatalogueEntry &a, const CatalogueEntry &b) {
  return sameWords(a, b) || describeSkillTool(a) == describeSkillTool(b);
}

bool samePrompt(const CatalogueEntry &a, const CatalogueEntry &b) {
  return sameWords(a, b) || describePrompt(a) == describePrompt(b);
}

// Returns the digest of a SKILL.md, because such a file may be rewritten with the same bytes. Empty
// for another file, where only the revision shows a change of its bytes.
std::string_view digestOfEntry(const Catalogue &catalogue, const std::string &source,
                               const Document &file) {
  if (!file.entry) return {};
  const CatalogueEntry *const found = catalogue.byId(source + '/' + file.skill);
  return found == nullptr || found->skill->entry().path != file.path
             ? std::string_view{}
             : std::string_view(found->skill->entryDigest);
}

bool sameResource(const CatalogueEntry &a, const CatalogueEntry &b) {
  return describeResource(a) == describeResource(b);
}

// Compares what skills/list and resources/directory/read say about the files of a skill.
class SameFiles {
public:
  SameFiles(const Catalogue &now, const Catalogue &before) : now_(now), before_(before) {}
  bool operator()(const CatalogueEntry &a, const CatalogueEntry &b) const {
    const Skill &x = *a.skill, &y = *b.skill;
    const auto sameFile = [&](const Document &c, const Document &d) {
      if (c.skill != d.skill || c.path != d.path || c.length != d.length) return false;
      if (c.revision == d.revision) return true;
      const std::string_view digest = digestOfEntry(now_, x.source, c);
      return !digest.empty() && digest == digestOfEntry(before_, y.source, d);
    };
    return x.id == y.id && x.facts == y.facts &&
           std::equal(x.files.begin(), x.files.end(), y.files.begin(), y.files.end(), sameFile);
  }

private:
  const Catalogue &now_, &before_;
};

// True if both have the same entries in the same order. Most skills are the same objects before and
// after a change, so few are compared in detail.
template <class Same>
bool sameList(const Catalogue &now, const Catalogue &before, const Same &same) {
  const auto unchanged = [&](const CatalogueEntry &a, const CatalogueEntry &b) {
    if (a.skill == b.skill && a.name == b.name && a.listed == b.listed) return true;
    return a.listed == b.listed && a.isForModels() == b.isForModels() &&
           a.isForUsers() == b.isForUsers() && same(a, b);
  };
  const auto &a = now.entries(), &b = before.entries();
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), unchanged);
}

// Compares all lists except the files.
PluginToolsChanged changedLists(Services &services, const CatalogueChange::Pointer &now,
                                const CatalogueChange::Pointer &before) {
  if (now == before) return {};
  // The older one comes first: its cached text is dropped when the newer one is asked for.
  const Expose exposedBefore = exposedTools(services, before);
  const auto listingBefore = listingDescription(services, before);
  const Expose expose = exposedTools(services, now);
  PluginToolsChanged changed;
  changed.tools =
      expose != exposedBefore ||
      (expose != Expose::Skills && *listingDescription(services, now) != *listingBefore) ||
      (expose != Expose::Gateway && !sameList(*now, *before, &sameTool));
  changed.prompts = !sameList(*now, *before, &samePrompt);
  changed.resources = !sameList(*now, *before, &sameResource);
  return changed;
}

} // namespace

const CatalogueChange::Seen &CatalogueChange::seenBy(const PrincipalPointer &principal) {
  const Access *const access = services_.access;
  Pointer now = now_.catalogue, before = before_.catalogue;
  PluginToolsChanged pluginTools;
  if (access != nullptr && access->authenticator() != nullptr && !principal) {
    before = now;
  } else if (now_.rules) {
    const auto keyNow = Visibility::keyOf(now_.rules, principal.get());
    const auto keyBefore =
        before_.rules ? Visibility::keyOf(before_.rules, principal.get()) : keyNow;
    now = Visibility::view(now, keyNow);
    before = Visibility::view(before, keyBefore);
    if (!(keyNow == keyBefore)) {
      const PluginToolSetPointer fromPlugin = services_.pluginTools.current();
      pluginTools =
          difference(*seenPluginTools(keyNow, fromPlugin), *seenPluginTools(keyBefore, fromPlugin));
    }
  }
  const auto found = std::find_if(known_.begin(), known_.end(), [&](const Seen &one) {
    return one.now == now && one.before == before && one.pluginTools == pluginTools;
  });
  if (found != known_.end()) return *found;
  PluginToolsChanged lists = changedLists(services_, now, before);
  lists.tools = lists.tools || pluginTools.tools;
  lists.prompts = lists.prompts || pluginTools.prompts;
  lists.resources = lists.resources || pluginTools.resources;
  const bool files = lists.resources || !sameList(*now, *before, SameFiles(*now, *before));
  return known_.emplace_back(Seen{std::move(now), std::move(before), pluginTools, lists, files});
}

} // namespace skillhost
