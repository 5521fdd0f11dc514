// SPDX-License-Identifier: Apache-2.0
#include "snapshot.hpp"

#include "ground/time_text.hpp"
#include "paths/names.hpp"

#include <skillhost/facts.hpp>

#include <algorithm>

namespace skillhost::github {
namespace {

template <class Item>
const Item *lookUp(const std::vector<Item> &sorted, std::string_view wanted,
                   std::string Item::*key) noexcept {
  const auto found =
      std::lower_bound(sorted.begin(), sorted.end(), wanted,
                       [&](const Item &item, std::string_view text) { return item.*key < text; });
  return found != sorted.end() && (*found).*key == wanted ? &*found : nullptr;
}

// Calls `body` with each pair of equal keys; null stands for a missing partner.
template <class Item, class Body>
void pairs(const std::vector<Item> &before, const std::vector<Item> &after, std::string Item::*key,
           Body body) {
  auto left = before.begin();
  auto right = after.begin();
  while (left != before.end() || right != after.end()) {
    int order = 0;
    if (left == before.end())
      order = 1;
    else if (right == after.end())
      order = -1;
    else
      order = ((*left).*key).compare((*right).*key);
    body(order <= 0 ? &*left : nullptr, order >= 0 ? &*right : nullptr);
    if (order <= 0) ++left;
    if (order >= 0) ++right;
  }
}

void addOrigin(skh::FactsText &out, const Origin &origin) {
  out.add("kind", "git");
  out.add("repository", origin.address);
  out.add("ref", origin.ref);
  out.add("commit", origin.commit);
  if (origin.fetched > 0) out.add("fetched_at", timeText(origin.fetched));
  out.add("integrity", "sha1");
  out.add("signature", "unchecked");
}

// Returns the folder of the skill's SKILL.md, relative to the repository; "" for the top.
std::string folderOf(const StoredSkill &skill) {
  for (const StoredDocument &document : skill.documents)
    if ((document.flags & SKH_DOC_ENTRY) != 0) {
      const std::size_t slash = document.place.rfind('/');
      return slash == document.place.npos ? std::string() : document.place.substr(0, slash);
    }
  return {};
}

} // namespace

// If there is only one repository, facts common to all skills are stated once, because another
// commit changes them for all.
std::string factsOf(const Snapshot &snapshot) {
  skh::FactsText out;
  const bool isOne = snapshot.origins.size() == 1;
  if (isOne) {
    out.about("*");
    addOrigin(out, snapshot.origins.front());
    out.add("path", snapshot.subpath.empty() ? "." : snapshot.subpath);
  }
  for (const StoredSkill &skill : snapshot.skills) {
    const std::string folder = folderOf(skill);
    // The folder follows from the id.
    if (isOne && folder == paths::joined(snapshot.subpath, skill.id)) continue;
    out.about(skill.id);
    if (!isOne) addOrigin(out, snapshot.origin(skill));
    out.add("path", folder.empty() ? "." : folder);
  }
  return out.take();
}

const StoredSkill *Snapshot::find(std::string_view skill) const noexcept {
  return lookUp(skills, skill, &StoredSkill::id);
}

const StoredDocument *findDocument(const StoredSkill &skill, std::string_view path) noexcept {
  return lookUp(skill.documents, path, &StoredDocument::path);
}

void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const Difference &)> &tell) {
  static const StoredSkill none;
  pairs(before.skills, after.skills, &StoredSkill::id,
        [&](const StoredSkill *old, const StoredSkill *now) {
          pairs((old != nullptr ? *old : none).documents, (now != nullptr ? *now : none).documents,
                &StoredDocument::path, [&](const StoredDocument *was, const StoredDocument *is) {
                  if (is == nullptr) return tell({*old, *was, true});
                  if (was != nullptr && was->blob == is->blob && was->flags == is->flags) return;
                  tell({*now, *is, false});
                });
        });
}

} // namespace skillhost::github
