// SPDX-License-Identifier: Apache-2.0
// What has become of what was locked, in words.
#include "skills/skills_lock.hpp"

namespace skillhost {
namespace {

constexpr std::size_t mostNamed = 3; // documents of one skill

// "a is new; b is gone and 4 more"
class Differences {
public:
  void add(const std::string &path, std::string_view what) {
    if (++count_ > mostNamed) return;
    text_ += (text_.empty() ? "" : "; ") + path;
    (text_ += ' ') += what;
  }
  std::string text() const {
    if (count_ <= mostNamed) return text_;
    return text_ + "; and " + std::to_string(count_ - mostNamed) + " more";
  }

private:
  std::size_t count_ = 0;
  std::string text_;
};

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

void compare(const std::string &name, const SourceLock &locked, const SourceLock &now,
             std::vector<std::string> &out) {
  if (locked.plugin != now.plugin)
    out.push_back(name + ": the plugin is " + now.plugin + ", locked is " + locked.plugin);
  if (locked.snapshot != now.snapshot)
    out.push_back(name + ": the snapshot is " + (now.snapshot.empty() ? "none" : now.snapshot) +
                  ", locked is " + (locked.snapshot.empty() ? "none" : locked.snapshot));
  for (const auto &[path, skill] : now.skills) {
    const auto known = locked.skills.find(path);
    if (known == locked.skills.end())
      out.push_back(name + '/' + path + ": is new");
    else if (const std::string why = differenceOf(known->second, skill); !why.empty())
      out.push_back(name + '/' + path + ": " + why);
  }
  for (const auto &[path, skill] : locked.skills)
    if (!now.skills.contains(path)) out.push_back(name + '/' + path + ": is gone");
}

} // namespace

std::string differenceOf(const LockedSkill &locked, std::span<const Document> listed) {
  LockedSkill now;
  for (const Document &document : listed) {
    const auto known = locked.find(document.path);
    // The digest shows when it is read; a size that is not told is not held against it.
    const bool sizeIsTold = document.length != UINT64_MAX || known == locked.end();
    now[document.path] = {known == locked.end() ? "" : known->second.digest,
                          sizeIsTold ? document.length : known->second.size, document.executable};
  }
  return differenceOf(locked, now);
}

std::vector<std::string> differencesOf(const SkillsLock &locked, const SkillsLock &now) {
  std::vector<std::string> out;
  for (const auto &[name, source] : now.sources) {
    const auto known = locked.sources.find(name);
    if (known == locked.sources.end())
      out.push_back(name + ": the source is new");
    else
      compare(name, known->second, source, out);
  }
  for (const auto &[name, source] : locked.sources)
    if (!now.sources.contains(name)) out.push_back(name + ": the source is gone");
  return out;
}

} // namespace skillhost
