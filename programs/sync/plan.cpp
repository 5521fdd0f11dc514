// SPDX-License-Identifier: Apache-2.0
#include "plan.hpp"

#include <utility>

namespace skillhost::sync {
namespace {

bool isSameFile(const FileState &one, const FileState &other, bool comparesExecutables) {
  if (one.digest != other.digest) return false;
  return !comparesExecutables || !one.executable || !other.executable ||
         one.executable == other.executable;
}

PlannedSkill planUnwritten(PlannedSkill plan, const SkillFacts &facts) {
  if (facts.offered == nullptr) return plan;
  if (plan.onDisk.kind == SkillOnDisk::Kind::Missing) {
    plan.action = Action::Write;
    return plan;
  }
  plan.action = Action::Taken;
  if (plan.onDisk.kind == SkillOnDisk::Kind::Other)
    plan.why = "a link or a file is there that sync has not written";
  else if (plan.onDisk.strange.empty() &&
           areSameFiles(plan.onDisk.files, facts.offered->files, facts.comparesExecutables))
    plan.why = "the same skill is there, but sync has not written it; remove it, and the next run "
               "writes it";
  else
    plan.why = "another skill is there that sync has not written";
  return plan;
}

PlannedSkill planGone(PlannedSkill plan, const SkillFacts &facts) {
  if (!facts.whyIncomplete.empty()) {
    plan.action = Action::KeptUnoffered;
    plan.why = facts.whyIncomplete;
  } else if (plan.onDisk.kind == SkillOnDisk::Kind::Missing) {
    plan.action = Action::Forget;
  } else if (isAsWritten(*facts.written, plan.onDisk, facts.comparesExecutables)) {
    plan.action = Action::Remove;
  } else {
    plan.action = Action::LeftAlone;
  }
  return plan;
}

} // namespace

bool areSameFiles(const FileStates &some, const FileStates &others, bool comparesExecutables) {
  if (some.size() != others.size()) return false;
  for (auto one = some.begin(), other = others.begin(); one != some.end(); ++one, ++other)
    if (one->first != other->first || !isSameFile(one->second, other->second, comparesExecutables))
      return false;
  return true;
}

bool isAsWritten(const WrittenSkill &written, const SkillOnDisk &onDisk, bool comparesExecutables) {
  if (onDisk.kind != SkillOnDisk::Kind::Folder || !onDisk.strange.empty()) return false;
  return areSameFiles(written.files, onDisk.files, comparesExecutables) ||
         (written.next && areSameFiles(*written.next, onDisk.files, comparesExecutables));
}

std::vector<std::string> differencesFrom(const FileStates &written, const SkillOnDisk &onDisk,
                                         bool comparesExecutables) {
  if (onDisk.kind == SkillOnDisk::Kind::Other) return {"a link or a file is in its place"};
  std::vector<std::string> out;
  for (const auto &[path, file] : written) {
    const auto there = onDisk.files.find(path);
    if (there == onDisk.files.end())
      out.push_back(path + " is missing");
    else if (there->second.digest != file.digest)
      out.push_back(path + " differs");
    else if (!isSameFile(file, there->second, comparesExecutables))
      out.push_back(path + (*there->second.executable ? " is executable" : " is not executable"));
  }
  for (const auto &[path, file] : onDisk.files)
    if (!written.contains(path)) out.push_back(path + " is new");
  for (const std::string &path : onDisk.strange) out.push_back(path + " is new");
  return out;
}

PlannedSkill planSkill(const std::string &name, SkillOnDisk onDisk, const SkillFacts &facts) {
  PlannedSkill plan{name, Action::None, {}, {}, std::move(onDisk)};
  if (facts.offered != nullptr && facts.offered->folder.starts_with(facts.folder) &&
      facts.offered->folder.substr(facts.folder.size()).starts_with('/')) {
    if (facts.written == nullptr) return plan;
    plan.action = Action::KeptUnoffered;
    plan.why = "the source reads the copy that sync has written here";
    return plan;
  }
  if (facts.written == nullptr) return planUnwritten(std::move(plan), facts);
  if (facts.written->origin != facts.origin) {
    if (facts.offered == nullptr) return plan;
    plan.action = Action::Taken;
    plan.why = "sync has written a skill of this name from " + facts.written->origin;
    return plan;
  }
  if (facts.offered == nullptr) {
    plan = planGone(std::move(plan), facts);
  } else if (plan.onDisk.kind == SkillOnDisk::Kind::Missing) {
    plan.action = Action::Write;
  } else if (plan.onDisk.kind == SkillOnDisk::Kind::Folder && plan.onDisk.strange.empty() &&
             areSameFiles(plan.onDisk.files, facts.offered->files, facts.comparesExecutables)) {
    plan.action = Action::None;
  } else if (isAsWritten(*facts.written, plan.onDisk, facts.comparesExecutables)) {
    plan.action = Action::Update;
  } else {
    plan.action = Action::LeftAlone;
  }
  if (plan.action == Action::LeftAlone)
    plan.differences =
        differencesFrom(facts.written->files, plan.onDisk, facts.comparesExecutables);
  return plan;
}

} // namespace skillhost::sync
