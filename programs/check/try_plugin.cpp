// SPDX-License-Identifier: Apache-2.0
#include "try_plugin.hpp"

#include "check/try.hpp"
#include "ground/shown.hpp"
#include "plugin_configuration.hpp"
#include "skill_files.hpp"
#include "skillmd/front_matter.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace skillhost {
namespace {

// Returns the entries that a host would put into an index, without its rules for serving skills.
std::vector<check::TrialEntry> entriesBelow(const std::string &folder) {
  std::vector<check::TrialEntry> entries;
  const app::SkillFiles found = app::findSkillFiles(folder, app::HiddenFolders::PassOver);
  for (const auto &[path, why] : found.unreadable)
    printShown(stderr, "skillhost: %s: cannot be read: %s\n", path.c_str(), why.c_str());
  for (const std::string &path : found.documents) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const FrontMatterResult read = parseFrontMatter(text, path);
    if (!read.frontMatter) {
      printShown(stderr, "skillhost: left out: %s\n", render(read.findings.front()).c_str());
      continue;
    }
    const FrontMatter &matter = *read.frontMatter;
    entries.push_back({std::filesystem::path(path).parent_path().lexically_relative(folder),
                       matter.text("name").value_or(""), matter.text("description").value_or(""),
                       text.substr(matter.bodyOffset)});
  }
  return entries;
}

std::string tokenFromInput() {
  std::string token{std::istreambuf_iterator<char>(std::cin), {}};
  while (token.ends_with('\n') || token.ends_with('\r')) token.pop_back();
  return token;
}

int refuse(const std::string &why) {
  printShown(stderr, "skillhost: %s\n", why.c_str());
  return 1;
}

} // namespace

int tryPlugin(const CheckSettings &settings, const app::Surroundings &surroundings) {
  const Result<std::string> file = pluginFile(settings);
  if (!file) return refuse(file.failure().message);
  const Result<std::string> configuration = pluginConfiguration(settings, surroundings);
  if (!configuration) return refuse(configuration.failure().message);
  check::Trial trial;
  trial.program = surroundings.executable;
  trial.plugin = *file;
  trial.configuration = configuration->empty() ? "{}" : *configuration;
  trial.operation = settings.operation;
  trial.arguments = settings.arguments;
  trial.resource = settings.resource;
  trial.trusted = settings.trusted;
  trial.mayRead = settings.allowRead;
  trial.deadline = std::chrono::milliseconds(settings.deadlineMs);
  if (trial.operation == "validate" && trial.arguments.front() == "-")
    trial.arguments.front() = tokenFromInput();
  if (!settings.skills.empty()) trial.entries = entriesBelow(settings.skills);
  if (trial.operation == "query" && trial.entries.empty())
    return refuse(settings.skills.empty()
                      ? "query has nothing to search in: name a folder of skills with --skills DIR"
                      : settings.skills + ": there is no SKILL.md that can be read");
  return check::tryPlugin(trial);
}

} // namespace skillhost
