// SPDX-License-Identifier: Apache-2.0
#include "snapshot.hpp"

#include <algorithm>

namespace skillhost::filesystem {
namespace {

const StoredSkill *itemOf(const std::shared_ptr<const StoredSkill> &skill) noexcept {
  return skill.get();
}
const StoredDocument *itemOf(const StoredDocument &document) noexcept { return &document; }

template <class Entry, class Key>
auto lookUp(const std::vector<Entry> &sorted, std::string_view wanted, Key key) noexcept {
  const auto found = std::lower_bound(
      sorted.begin(), sorted.end(), wanted,
      [&](const Entry &entry, std::string_view text) { return itemOf(entry)->*key < text; });
  return found != sorted.end() && itemOf(*found)->*key == wanted ? itemOf(*found) : nullptr;
}

// Walks two sorted lists in parallel; null stands for a missing partner.
template <class Entry, class Key, class Body>
void sideBySide(const std::vector<Entry> &before, const std::vector<Entry> &after, Key key,
                Body body) {
  auto left = before.begin();
  auto right = after.begin();
  while (left != before.end() || right != after.end()) {
    const int order = left == before.end()   ? 1
                      : right == after.end() ? -1
                                             : (itemOf(*left)->*key).compare(itemOf(*right)->*key);
    body(order <= 0 ? itemOf(*left) : nullptr, order >= 0 ? itemOf(*right) : nullptr);
    if (order <= 0) ++left;
    if (order >= 0) ++right;
  }
}

} // namespace

FoundDocument Snapshot::find(std::string_view skill, std::string_view path) const noexcept {
  const StoredSkill *const owner = lookUp(skills, skill, &StoredSkill::id);
  if (owner == nullptr) return {};
  const StoredDocument *const document = lookUp(owner->documents, path, &StoredDocument::path);
  return document == nullptr ? FoundDocument{} : FoundDocument{owner, document};
}

std::string identify(const StoredSkills &skills) {
  ContentHash hash;
  for (const auto &stored : skills) {
    const StoredSkill &skill = *stored;
    hash.add(std::uint64_t{skill.id.size()});
    hash.add(skill.id);
    hash.add(std::uint64_t{skill.documents.size()});
    for (const StoredDocument &document : skill.documents) {
      hash.add(std::uint64_t{document.path.size()});
      hash.add(document.path);
      hash.add(std::uint64_t{document.flags});
      hash.add(document.revision.view());
    }
  }
  const std::array<char, 32> text = hexadecimal(hash.finish());
  return {text.data(), text.size()};
}

void compare(const Snapshot &before, const Snapshot &after,
             const std::function<void(const Difference &)> &tell) {
  static const StoredSkill none;
  sideBySide(before.skills, after.skills, &StoredSkill::id,
             [&](const StoredSkill *old, const StoredSkill *now) {
               if (old == now) return; // both snapshots share the skill
               sideBySide((old != nullptr ? *old : none).documents,
                          (now != nullptr ? *now : none).documents, &StoredDocument::path,
                          [&](const StoredDocument *was, const StoredDocument *is) {
                            if (is == nullptr) return tell({*old, *was, true});
                            if (was != nullptr && was->revision == is->revision &&
                                was->flags == is->flags)
                              return;
                            tell({*now, *is, false});
                          });
             });
}

} // namespace skillhost::filesystem
