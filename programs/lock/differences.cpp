// SPDX-License-Identifier: Apache-2.0
#include "differences.hpp"

namespace skillhost {
namespace {

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
