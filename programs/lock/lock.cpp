// SPDX-License-Identifier: Apache-2.0
#include "catalogue_command.hpp"
#include "configuration/places.hpp"
#include "differences.hpp"
#include "filtered_source.hpp"
#include "ground/counted.hpp"
#include "ground/replace_file.hpp"
#include "ground/shown.hpp"
#include "instance_configuration.hpp"
#include "known_configuration.hpp"
#include "lock/taken_lock.hpp"
#include "plugin_directories.hpp"
#include "program.hpp"

#include <cstdio>
#include <filesystem>
#include <future>
#include <vector>

namespace skillhost::app {
namespace {

constexpr int maxAttempts = 5; // for a source that changes while it is read

// A source while its lock is taken.
struct Asked {
  const SourceConfiguration *configuration = nullptr;
  std::shared_ptr<Source> source;
  std::future<Result<TakenLock>> answer;

  void ask(std::chrono::milliseconds within) {
    const auto promise = std::make_shared<std::promise<Result<TakenLock>>>();
    answer = promise->get_future();
    CallOptions options;
    options.deadline = Deadline::after(within);
    takeLock(source, options,
             [promise](Result<TakenLock> locked) { promise->set_value(std::move(locked)); });
  }
};

Result<SkillsLock> gather(std::vector<Asked> &all, std::chrono::milliseconds within) {
  SkillsLock lock;
  for (Asked &one : all) one.ask(within);
  for (Asked &one : all) {
    Result<TakenLock> locked = one.answer.get();
    for (int tries = 1; !locked && locked.failure().fault == Fault::Stale && tries < maxAttempts;
         ++tries) {
      one.ask(within);
      locked = one.answer.get();
    }
    if (!locked) return std::move(locked).failure();
    for (const std::string &left : locked->left)
      printShown(stderr, "skillhost: not locked: %s/%s\n", one.configuration->name.c_str(),
                 left.c_str());
    locked->lock.plugin = pluginName(one.configuration->plugin);
    lock.sources[one.configuration->name] = std::move(locked->lock);
  }
  return lock;
}

Result<SkillsLock> takeNow(const Configuration &configuration, const std::string &executable) {
  PluginRegistry plugins(builtInPlugins(executable), pluginSettings(configuration, executable));
  std::vector<Asked> all;
  for (const SourceConfiguration &one : configuration.sources) {
    if (!one.enabled) continue;
    SettingProblems problems;
    Result<std::shared_ptr<Source>> source =
        makeFilteredSource(plugins, configuration, one, {SourcePin::Mode::Newest, {}}, problems);
    if (!problems.empty())
      return Failure{Fault::InvalidInput, located(configuration, one.key, problems)};
    if (!source) return std::move(source).failure();
    all.push_back({&one, *std::move(source), {}});
  }
  Result<SkillsLock> lock = gather(all, configuration.deadlines.scan);
  for (const Asked &one : all) one.source->stop(); // an executor must not end on its own thread
  return lock;
}

std::string sizeOf(const SkillsLock &lock) {
  std::size_t skills = 0, documents = 0;
  for (const auto &[name, source] : lock.sources) {
    skills += source.skills.size();
    for (const auto &[path, skill] : source.skills) documents += skill.size();
  }
  return counted(lock.sources.size(), "source") + ", " + counted(skills, "skill") + ", " +
         counted(documents, "document");
}

int refuseLock(const std::string &why) {
  printShown(stderr, "skillhost: %s\n", why.c_str());
  return 1;
}

int checkLock(const std::string &file, const SkillsLock &now) {
  const Result<SkillsLock> locked = SkillsLock::read(file);
  if (!locked) return refuseLock(locked.failure().message);
  const std::vector<std::string> differences = differencesOf(*locked, now);
  for (const std::string &one : differences) printShown(stdout, "%s\n", one.c_str());
  if (differences.empty()) {
    printShown(stdout, "%s fits: %s\n", file.c_str(), sizeOf(now).c_str());
    return 0;
  }
  return refuseLock(file + " no longer fits; skillhost lock accepts what has changed");
}

int writeSkillsLock(const std::string &file, const SkillsLock &now) {
  const Result<SkillsLock> before = SkillsLock::read(file);
  if (before && *before == now) {
    removeDraft(file);
    printShown(stdout, "%s is up to date: %s\n", file.c_str(), sizeOf(now).c_str());
    return 0;
  }
  if (const Status written = replaceFile(file, now.text()); !written)
    return refuseLock(written.failure().message);
  if (before)
    for (const std::string &one : differencesOf(*before, now))
      printShown(stdout, "%s\n", one.c_str());
  printShown(stdout, "%s is written: %s\n", file.c_str(), sizeOf(now).c_str());
  return 0;
}

// Returns 1 if a source cannot be asked or the file cannot be written, and with --check if
// something differs. Writes the file only when everything is known and it differs.
int lockSkills(const ParsedArguments &arguments, const Surroundings &surroundings) {
  const Result<KnownConfiguration> known = knownConfiguration(arguments, surroundings);
  if (!known) return programs::refuse(known.failure());
  const CommandLog log(*known, surroundings);
  const std::string named = arguments.last("--file");
  const std::string file = named.empty()
                               ? known->configuration.features.textIfAny("skills_lock").value_or("")
                               : std::filesystem::absolute(named).string();
  const Result<SkillsLock> now = takeNow(known->configuration, surroundings.executable);
  if (!now) return refuseLock(now.failure().message);
  if (now->sources.empty())
    return refuseLock("there is no source to lock: name one with --skills-dir or --config");
  return arguments.has("--check") ? checkLock(file, *now) : writeSkillsLock(file, *now);
}

CommandDescription lockDescription() {
  CommandDescription command{
      "lock",
      "Record what every source serves now, for --locked.",
      true,
      {helpOption(),
       {{"--file"}, "FILE", "The lock file, instead of the one of --skills-lock.", generalOptions},
       {{"--check"},
        "",
        "Write nothing, and list what differs from the lock; exit code 1 if something differs.",
        generalOptions}}};
  command.position = 900;
  return command;
}

} // namespace

CatalogueCommand lockCommand() { return {{lockDescription()}, lockSkills}; }

} // namespace skillhost::app
