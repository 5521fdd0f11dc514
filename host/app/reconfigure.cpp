// SPDX-License-Identifier: Apache-2.0
// Implements Host::reconfigure(): replaces the sources and rules that are served with those of
// another configuration.
#include "access.hpp"
#include "base/log.hpp"
#include "filtered_source.hpp"
#include "ground/await.hpp"
#include "host.hpp"
#include "instance_configuration.hpp"
#include "protocol_settings.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace skillhost::app {
namespace {

// Returns true if an instance of `a` in `next` would be the same as one of `b` in `running`. A
// source of folders also depends on the folders of the other sources.
bool sameInstance(const Configuration &next, const SourceConfiguration &a,
                  const Configuration &running, const SourceConfiguration &b) {
  return a.plugin == b.plugin && a.config == b.config && a.run == b.run && a.filters == b.filters &&
         instanceOfSource(next, a).config == instanceOfSource(running, b).config;
}

bool keepsFolder(const PluginRegistry &plugins, const SourceConfiguration &source) {
  const std::vector<std::string> instances = instancesOf(source);
  return std::any_of(instances.begin(), instances.end(),
                     [&](const std::string &instance) { return plugins.keepsFolder(instance); });
}

std::vector<std::string> otherSkillRules(const Configuration &a, const Configuration &b) {
  std::vector<std::string> keys;
  if (a.skillRules != b.skillRules) keys.emplace_back("skill_rules");
  if (a.includeSkills != b.includeSkills) keys.emplace_back("include_skills");
  if (a.excludeSkills != b.excludeSkills) keys.emplace_back("exclude_skills");
  return keys;
}

void takeOverSkillRules(Configuration &running, const Configuration &next) {
  running.skillRules = next.skillRules;
  running.strict = next.strict;
  running.includeSkills = next.includeSkills;
  running.excludeSkills = next.excludeSkills;
}

// The other parts of the rules, such as the deadline of a source, only change after a restart.
std::shared_ptr<const SkillRules> skillRulesOf(Configuration running, const Configuration &next) {
  takeOverSkillRules(running, next);
  return std::make_shared<const SkillRules>(skillRules(running));
}

} // namespace

Host::Served *Host::findServed(const std::string &name) {
  const auto found = std::find_if(served_.begin(), served_.end(), [&](const Served &one) {
    return one.configuration.name == name;
  });
  return found == served_.end() ? nullptr : &*found;
}

Result<Host::SourcesByName> Host::makeChanged(const Configuration &next,
                                              const SourceWrappers &wrappers) {
  SourcesByName made;
  std::string wrong;
  std::vector<const SourceConfiguration *> inPlace;
  for (const SourceConfiguration &one : next.sources) {
    if (!one.enabled) continue;
    const Served *const before = findServed(one.name);
    const bool isSame = before != nullptr &&
                        sameInstance(next, one, configuration_, before->configuration) &&
                        treatAlike(wrappers, wrappers_, one.name);
    if (isSame && !before->isAbsent) continue;
    // A source that could not be made has kept no folder of its predecessor, so its successor need
    // not wait.
    if (before != nullptr && !before->isAbsent && keepsFolder(plugins_, one)) {
      inPlace.push_back(&one);
      continue;
    }
    Served now = makeSource(next, one, wrappers, wrong);
    if (!isSame || !now.isAbsent) made.emplace(one.name, std::move(now));
  }
  // These sources take over the folder of their predecessor, which has to stop first. That is done
  // as late as possible.
  std::vector<std::string> stopped;
  for (const SourceConfiguration *const one : inPlace) {
    if (!wrong.empty()) break;
    findServed(one->name)->source->stop();
    stopped.push_back(one->name);
    made.emplace(one->name, makeSource(next, *one, wrappers, wrong));
  }
  if (wrong.empty()) return made;
  for (const auto &[name, one] : made) one.source->stop();
  restartStopped(stopped);
  return Failure{Fault::InvalidInput, wrong};
}

// Makes these sources again: they were stopped for successors that could not be made.
void Host::restartStopped(const std::vector<std::string> &names) {
  if (names.empty()) return;
  for (const std::string &name : names) {
    std::string wrong;
    Served *const one = findServed(name);
    *one = makeSource(configuration_, one->configuration, wrappers_, wrong);
    if (!wrong.empty()) log::error("plugin", wrong);
  }
  std::vector<Library::NewSource> all;
  all.reserve(served_.size());
  for (const Served &one : served_) all.push_back({one.source, !one.isAbsent});
  publish(all, nullptr, nullptr, {});
}

void Host::publish(const std::vector<Library::NewSource> &sources,
                   std::shared_ptr<const SkillRules> skillRules, const Visibility::Prepared &rules,
                   const std::function<void()> &beforeServing) {
  const auto follow = [&](std::uint64_t generation) {
    if (rules) access_->replaceRules(rules, generation);
    if (beforeServing) beforeServing();
  };
  awaitDone([&](std::function<void()> published) {
    library_.replace(sources, std::move(skillRules), follow, std::move(published));
  });
}

Result<Host::Reconfigured> Host::reconfigure(const Configuration &next) {
  reconfigurable_.wait();
  if (!library_.started())
    return Failure{Fault::Unavailable, "the server has not started: " + madeSoon_.get()};
  SourceWrappers wrappers;
  try {
    wrappers = wrappersFor(next, filters_);
    [[maybe_unused]] const auto fits = Visibility::prepare(visibilityRules(next), {});
  } catch (const std::exception &why) {
    return Failure{Fault::InvalidInput, why.what()};
  }
  Result<SourcesByName> made = makeChanged(next, wrappers);
  if (!made) return std::move(made).failure();

  // If there is a new or changed source, it may still bring the category.
  if (next.access.visibility != configuration_.access.visibility) {
    const NameProblems found =
        app::checkCategories(next, *library_.catalogue(), !withheld().empty());
    for (const std::string &warning : found.warnings) log::warning("access", warning);
    for (const std::string &problem : found.problems) {
      if (made->empty()) return Failure{Fault::InvalidInput, problem};
      log::warning("access", problem);
    }
  }

  // A new source has not listed its skills yet.
  if (made->empty() && (next.includeSkills != configuration_.includeSkills ||
                        next.excludeSkills != configuration_.excludeSkills))
    logUnknownSkills(next);

  Reconfigured done;
  done.skillRules = otherSkillRules(configuration_, next);
  done.rules = next.access.visibility != configuration_.access.visibility;
  std::vector<Served> all;
  std::vector<Library::NewSource> sources;
  std::vector<std::string> names, namesBefore;
  for (const SourceConfiguration &one : next.sources) {
    if (!one.enabled) continue;
    const Served *const before = findServed(one.name);
    const auto other = made->find(one.name);
    const bool isOther = other != made->end();
    if (isOther) (before == nullptr ? done.added : done.changed).push_back(one.name);
    all.push_back(isOther ? other->second : *before);
    all.back().configuration = one;
    // Skills that were served by other rules or through other filters must not be kept. If the
    // rules for which skills are served differ, the library checks them again.
    sources.push_back({all.back().source,
                       !done.rules && !all.back().isAbsent &&
                           treatAlike(wrappers, wrappers_, one.name) &&
                           (before == nullptr || before->configuration.filters == one.filters)});
    names.push_back(one.name);
  }
  std::set<std::string> leaving(done.changed.begin(), done.changed.end());
  std::vector<std::shared_ptr<Source>> left;
  for (const Served &before : served_) {
    const std::string &name = before.configuration.name;
    namesBefore.push_back(name);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      done.removed.push_back(name);
      leaving.insert(name);
    }
    if (leaving.contains(name)) left.push_back(before.source);
  }
  done.order = done.added.empty() && done.removed.empty() && names != namesBefore;

  if (sources.empty()) warnAboutMissingSources();
  if (done.rules) warnAboutUnusedVisibility(next);
  // A history is shown to callers who see its source by the current rules, so both change at the
  // same moment.
  if (done.any())
    publish(sources, done.skillRules.empty() ? nullptr : skillRulesOf(configuration_, next),
            done.rules ? Visibility::prepare(visibilityRules(next), std::move(leaving)) : nullptr,
            features_.follow(next));
  for (const auto &source : left) source->stop();
  served_ = std::move(all);
  wrappers_ = std::move(wrappers);
  done.minScore = configuration_.search.minScore != next.search.minScore;
  floor_->set(next.search.minScore);
  configuration_.search.minScore = next.search.minScore;
  configuration_.sources = next.sources;
  configuration_.access.visibility = next.access.visibility;
  takeOverSkillRules(configuration_, next);
  return done;
}

} // namespace skillhost::app
