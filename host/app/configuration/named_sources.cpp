// SPDX-License-Identifier: Apache-2.0
#include "configuration/named_sources.hpp"

#include "commandline/suggest.hpp"
#include "configuration/keys.hpp"
#include "ground/glob.hpp"
#include "mcp/tool_names.hpp"

#include <algorithm>

namespace skillhost::app {
namespace {

bool matchesOne(const std::string &pattern, const std::vector<std::string> &names) {
  const Result<Glob> glob = Glob::compile(pattern);
  return glob && std::any_of(names.begin(), names.end(),
                             [&](const std::string &name) { return glob->matches(name); });
}

// Lists the known names, for a message about a name that does not exist.
std::string knownNames(const std::vector<std::string> &known) {
  if (known.empty()) return "; there is none";
  std::string text = known.size() == 1 ? "; there is " : "; there are ";
  for (const std::string &one : known) text += (&one == known.data() ? "" : ", ") + one;
  return text;
}

// Returns the source part of a pattern <source>/<path>. It is empty if the first slash stands
// within braces or brackets.
std::string sourcePattern(const std::string &whole) {
  std::string source = whole.substr(0, whole.find('/'));
  const bool isWhole = Glob::compile(source) && source.find('{') == std::string::npos;
  return isWhole ? source : std::string();
}

class NameChecker {
public:
  // `kind` is the word for the things that have these names, such as "source".
  NameChecker(const Configuration &configuration, std::string kind, std::vector<std::string> known,
              std::vector<std::string> expected = {})
      : configuration_(configuration), kind_(std::move(kind)), known_(std::move(known)),
        expected_(std::move(expected)) {}

  void check(const std::string &key, const std::vector<std::string> &patterns) {
    for (std::size_t i = 0; i < patterns.size(); ++i) checkOne(key, i, patterns[i], patterns[i]);
  }
  // Checks patterns of the form <source>/<path>.
  void checkPaths(const std::string &key, const std::vector<std::string> &patterns) {
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const std::string source = sourcePattern(patterns[i]);
      if (!source.empty()) checkOne(key, i, source, patterns[i]);
    }
  }

  NameProblems found;

private:
  void checkOne(const std::string &key, std::size_t index, const std::string &pattern,
                const std::string &whole) {
    if (matchesOne(pattern, known_)) return;
    const std::string at = key + '[' + std::to_string(index) + ']';
    const std::string place = placedKey(configuration_, at);
    if (!isPlainName(pattern) || matchesOne(pattern, expected_)) {
      found.warnings.push_back(place + ": no " + kind_ + " matches " + pattern +
                               " yet: the rule has no effect until one does");
      return;
    }
    std::string text = place + ": there is no " + kind_ + " \"" + pattern + '"';
    if (whole == pattern && key.ends_with("_skills"))
      text += " (a pattern is <source>/<path>, such as \"*/" + pattern + "\")";
    const std::string hint = didYouMean(pattern, known_);
    found.problems.push_back(text + (hint.empty() ? knownNames(known_) : hint));
  }

  const Configuration &configuration_;
  const std::string kind_;
  const std::vector<std::string> known_, expected_;
};

template <class Entry> void addNames(const std::vector<Entry> &from, std::vector<std::string> &to) {
  for (const Entry &one : from) to.push_back(one.name);
}

void addAll(NameProblems &all, NameProblems found) {
  all.problems.insert(all.problems.end(), found.problems.begin(), found.problems.end());
  all.warnings.insert(all.warnings.end(), found.warnings.begin(), found.warnings.end());
}

std::string ruleKey(std::string_view list, std::size_t index, std::string_view member) {
  return (std::string(list) + '[' + std::to_string(index) + "].").append(member);
}

} // namespace

bool isPlainName(std::string_view pattern) noexcept {
  return pattern.find_first_of("*?[]{}\\") == std::string_view::npos;
}

std::string placedKey(const Configuration &configuration, const std::string &key) {
  for (std::string path = key;;) {
    const auto place = configuration.places.find(path);
    if (place != configuration.places.end()) return place->second + ": " + key;
    const std::size_t end = path.find_last_of(".[");
    if (end == std::string::npos) return key;
    path.resize(end);
  }
}

NameProblems checkNamedSources(const Configuration &configuration,
                               const std::vector<std::string> &expected) {
  std::vector<std::string> names;
  addNames(configuration.sources, names);
  NameChecker sources(configuration, "source", names, expected);
  addNames(configuration.tools, names);
  NameChecker visible(configuration, "source or plugin", names, expected);
  for (const auto *const list : {&configuration.observers, &configuration.httpHandlers}) {
    for (const PluginEntry &one : *list)
      if (std::find(names.begin(), names.end(), one.name) != names.end())
        visible.found.problems.push_back(placedKey(configuration, one.key + ".name") +
                                         ": a source or plugin is named \"" + one.name +
                                         "\" too: choose another name");
    addNames(*list, names);
  }
  const auto &visibility = configuration.access.visibility;
  for (std::size_t i = 0; i < visibility.size(); ++i)
    visible.check(ruleKey("access.visibility", i, "sources"), visibility[i].sources);
  for (const HostKey &key : hostKeys()) {
    if (key.declared == nullptr) continue;
    if (key.declared->namesSources)
      sources.check(std::string(key.name), configuration.features.texts(key.name));
    for (const settings::Declaration &part : key.declared->parts) {
      if (!part.namesSources) continue;
      const Json &rules = configuration.features.value(key.name);
      for (std::size_t i = 0; i < rules.size(); ++i)
        sources.check(ruleKey(key.name, i, part.key), rules[i][part.key]);
    }
  }
  sources.checkPaths("include_skills", configuration.includeSkills);
  sources.checkPaths("exclude_skills", configuration.excludeSkills);
  NameProblems all = std::move(visible.found);
  addAll(all, std::move(sources.found));
  return all;
}

NameProblems checkNamedTools(const Configuration &configuration,
                             const std::vector<std::string> &ofFeatures) {
  std::vector<std::string> known = toolNames();
  known.insert(known.end(), ofFeatures.begin(), ofFeatures.end());
  const bool areAll = configuration.expose == Expose::Gateway && configuration.tools.empty();
  NameProblems found;
  const auto check = [&](const char *key, const std::string &name) {
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    const std::string text = placedKey(configuration, std::string(key) + '.' + name) +
                             ": there is no tool \"" + name + '"';
    const std::string hint = didYouMean(name, known);
    if (areAll)
      found.problems.push_back(text + (hint.empty() ? knownNames(known) : hint));
    else if (!hint.empty())
      found.warnings.push_back(text + " of the server's own" + hint);
  };
  for (const auto &[name, milliseconds] : configuration.deadlines.tools)
    check("deadlines.tools", name);
  for (const auto &[name, items] : configuration.limits.toolArrayItems)
    check("limits.tool_array_limits", name);
  return found;
}

NameProblems checkNamedSkills(const Configuration &configuration,
                              const std::vector<std::string> &listed) {
  std::vector<std::string> sources;
  addNames(configuration.sources, sources);
  NameProblems found;
  const auto check = [&](const std::string &key, const std::vector<std::string> &patterns) {
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const std::string &pattern = patterns[i];
      const std::string source = sourcePattern(pattern);
      // The start has already reported a source that does not exist.
      if ((!source.empty() && !matchesOne(source, sources)) || matchesOne(pattern, listed))
        continue;
      found.warnings.push_back(
          placedKey(configuration, key + '[' + std::to_string(i) + ']') + ": no skill matches " +
          pattern + " yet: the rule has no effect until one does" +
          (isPlainName(pattern) ? didYouMean(pattern, listed) : std::string()));
    }
  };
  check("include_skills", configuration.includeSkills);
  check("exclude_skills", configuration.excludeSkills);
  return found;
}

NameProblems checkNamedCategories(const Configuration &configuration,
                                  const std::vector<std::string> &categories) {
  NameChecker checker(configuration, "category", categories);
  const auto &visibility = configuration.access.visibility;
  for (std::size_t i = 0; i < visibility.size(); ++i)
    checker.check(ruleKey("access.visibility", i, "categories"), visibility[i].categories);
  return std::move(checker.found);
}

} // namespace skillhost::app
