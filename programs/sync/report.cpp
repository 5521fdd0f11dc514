// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include "commandline/description.hpp"
#include "ground/shown.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace skillhost::sync {
namespace {

// The word for a skill in a list, in its order, and for programs.
struct ActionWords {
  const char *done, *planned, *forPrograms;
};

ActionWords wordsOf(const SyncedSkill &skill) {
  if (!skill.failure.empty()) return {"failed", "would fail", "failed"};
  switch (skill.plan.action) {
  case Action::Write:
    return {"written", "would be written", "written"};
  case Action::Update:
    return {"updated", "would be updated", "updated"};
  case Action::Remove:
  case Action::Forget:
    return {"removed", "would be removed", "removed"};
  case Action::LeftAlone:
    return {"changed here", "changed here", "changed"};
  case Action::Taken:
    return {"not written", "not written", "taken"};
  case Action::KeptUnoffered:
    return {"kept", "kept", "kept"};
  case Action::None:
    break;
  }
  return {"unchanged", "unchanged", "unchanged"};
}

std::string reasonFor(const SyncedSkill &skill) {
  if (!skill.failure.empty()) return skill.failure;
  return skill.plan.action == Action::LeftAlone ? app::joined(skill.plan.differences, ", ")
                                                : skill.plan.why;
}

bool changesFolder(Action action) { return action <= Action::Forget; }

// Returns true if the skill was changed in its folder, or would be.
bool isChange(const SyncedSkill &skill) {
  return skill.failure.empty() && changesFolder(skill.plan.action);
}

std::string headOf(const TargetFolder &target) {
  std::string head = app::joined(target.agents, ", ");
  head += (head.empty() ? "" : ": ") + target.path;
  if (!target.shown.empty()) head += " (through " + target.shown + ')';
  return head;
}

} // namespace

SyncReport afterEarlier(SyncReport report, const SyncReport &earlier) {
  for (FolderReport &folder : report.folders) {
    const auto before =
        std::find_if(earlier.folders.begin(), earlier.folders.end(), [&](const FolderReport &one) {
          return one.target.path == folder.target.path;
        });
    if (before == earlier.folders.end()) continue;
    std::vector<SyncedSkill> &skills = folder.outcome.skills;
    for (const SyncedSkill &skill : before->outcome.skills) {
      if (!isChange(skill)) continue;
      const auto place = std::lower_bound(
          skills.begin(), skills.end(), skill,
          [](const SyncedSkill &a, const SyncedSkill &b) { return a.plan.name < b.plan.name; });
      if (place == skills.end() || place->plan.name != skill.plan.name)
        skills.insert(place, skill);
      else if (place->failure.empty() && place->plan.action == Action::None)
        *place = skill;
    }
  }
  return report;
}

bool hasChanged(const SyncReport &report) {
  return report.effect == Effect::Apply &&
         std::any_of(report.folders.begin(), report.folders.end(), [](const FolderReport &folder) {
           return std::any_of(folder.outcome.skills.begin(), folder.outcome.skills.end(), isChange);
         });
}

int exitCodeOf(const SyncReport &report) {
  bool differs = !report.leftOut.empty();
  if (!report.whyIncomplete.empty()) return 1;
  for (const FolderReport &folder : report.folders) {
    if (!folder.failure.empty()) return 1;
    for (const SyncedSkill &skill : folder.outcome.skills) {
      if (!skill.failure.empty()) return 1;
      const Action action = skill.plan.action;
      differs = differs || action == Action::LeftAlone || action == Action::Taken ||
                action == Action::KeptUnoffered ||
                (report.effect == Effect::OnlyPlan && changesFolder(action));
    }
  }
  constexpr int folderDiffers = 3;
  return differs ? folderDiffers : 0;
}

std::string asText(const SyncReport &report) {
  std::string text;
  for (const FolderReport &folder : report.folders) {
    text += shownLine(headOf(folder.target)) + '\n';
    if (!folder.failure.empty()) {
      text += "  failed: " + shownLine(folder.failure) + '\n';
      if (folder.outcome.skills.empty()) continue; // else an earlier round has changed them
    }
    std::map<std::string, std::size_t> counts;
    for (const SyncedSkill &skill : folder.outcome.skills) {
      const ActionWords words = wordsOf(skill);
      const std::string word = report.effect == Effect::Apply ? words.done : words.planned;
      ++counts[word];
      if (skill.failure.empty() && skill.plan.action == Action::None) continue;
      const std::string why = reasonFor(skill);
      text +=
          "  " + word + ": " + skill.plan.name + (why.empty() ? "" : ": " + shownLine(why)) + '\n';
    }
    std::string sum;
    for (const auto &[word, count] : counts)
      sum += (sum.empty() ? "" : ", ") + std::to_string(count) + ' ' + word;
    text += "  " + (sum.empty() ? "no skills" : sum) + '\n';
  }
  for (const LeftOut &one : report.leftOut)
    text += "left out: " + (one.name.empty() ? "" : shownLine(one.name) + ": ") +
            shownLine(one.why) + '\n';
  if (!report.whyIncomplete.empty())
    text +=
        "nothing is removed, because the source is incomplete: " + shownLine(report.whyIncomplete) +
        '\n';
  return text;
}

Json asJson(const SyncReport &report) {
  Json folders = Json::array();
  for (const FolderReport &folder : report.folders) {
    Json one{{"agents", folder.target.agents}, {"folder", folder.target.path}};
    if (!folder.failure.empty()) one["failure"] = folder.failure;
    one["skills"] = Json::array();
    for (const SyncedSkill &skill : folder.outcome.skills) {
      Json entry{{"name", skill.plan.name}, {"action", wordsOf(skill).forPrograms}};
      if (const std::string why = reasonFor(skill); !why.empty()) entry["why"] = why;
      if (skill.plan.action == Action::LeftAlone) entry["differences"] = skill.plan.differences;
      one["skills"].push_back(std::move(entry));
    }
    folders.push_back(std::move(one));
  }
  Json leftOut = Json::array();
  for (const LeftOut &one : report.leftOut)
    leftOut.push_back({{"name", one.name}, {"why", one.why}});
  Json out{{"dry_run", report.effect == Effect::OnlyPlan},
           {"folders", std::move(folders)},
           {"left_out", std::move(leftOut)}};
  if (!report.whyIncomplete.empty()) out["incomplete"] = report.whyIncomplete;
  return out;
}

} // namespace skillhost::sync
