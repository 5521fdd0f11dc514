// SPDX-License-Identifier: Apache-2.0
// Describes in words how a skill differs from its lock.
#include "lock/skills_lock.hpp"

namespace skillhost {
namespace {

constexpr std::size_t maxNamed = 3; // a text names so many documents and counts the others

// Collects differences into a text such as "a is new; b is gone; and 4 more".
class Differences {
public:
  void add(const std::string &path, std::string_view what) {
    if (++count_ > maxNamed) return;
    text_ += (text_.empty() ? "" : "; ") + path;
    (text_ += ' ') += what;
  }
  std::string text() const {
    if (count_ <= maxNamed) return text_;
    return text_ + "; and " + std::to_string(count_ - maxNamed) + " more";
  }

private:
  std::size_t count_ = 0;
  std::string text_;
};

} // namespace

std::string differenceOf(const LockedSkill &locked, const LockedSkill &now) {
  Differences differences;
  for (const auto &[path, document] : now) {
    const auto known = locked.find(path);
    if (known == locked.end())
      differences.add(path, "is new");
    else if (known->second.digest != document.digest || known->second.size != document.size)
      differences.add(path, "has other bytes");
    else if (known->second.executable != document.executable)
      differences.add(path,
                      document.executable ? "has become executable" : "is no longer executable");
  }
  for (const auto &[path, document] : locked)
    if (!now.contains(path)) differences.add(path, "is gone");
  return differences.text();
}

std::string differenceOf(const LockedSkill &locked, std::span<const Document> listed) {
  LockedSkill now;
  for (const Document &document : listed) {
    const auto known = locked.find(document.path);
    const bool isNew = known == locked.end();
    // A list has no digests. They are compared when the documents are read, so here they count as
    // equal, and so does a size that the source does not state.
    const bool takesLockedSize = !isNew && document.length == UINT64_MAX;
    now[document.path] = {isNew ? "" : known->second.digest,
                          takesLockedSize ? known->second.size : document.length,
                          document.executable};
  }
  return differenceOf(locked, now);
}

} // namespace skillhost
