// SPDX-License-Identifier: Apache-2.0
#include "configuration/named_sources.hpp"

#include "configuration/suggest.hpp"
#include "ground/glob.hpp"

#include <algorithm>

namespace skillhost::app {
namespace {

class NameChecker {
public:
  // `kind` is what the names stand for: "source".
  NameChecker(const Configuration &configuration, std::string kind, std::vector<std::string> known,
              std::vector<std::string> expected = {})
      : configuration_(configuration), kind_(std::move(kind)), known_(std::move(known)),
        expected_(std::move(expected)) {}

  void check(const std::string &key, const std::vector<std::string> &patterns) {
    for (std::size_t i = 0; i < patterns.size(); ++i) checkOne(key, i, patterns[i], patterns[i]);
  }
  // Patterns of <source>/<path>.
  void checkPaths(const std::string &key, const std::vector<std::string> &patterns) {
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const std::string &whole = patterns[i];
      const std::string source = whole.substr(0, whole.find('/'));
      // A slash inside braces or brackets is not the end of the source.
      if (Glob::compile(source) && source.find('{') == std::string::npos)
        checkOne(key, i, source, whole);
    }
  }

  NameProblems found;

private:
  static bool matchesOne(const std::string &pattern, const std::vector<std::string> &names) {
    const Result<Glob> glob = Glob::compile(pattern);
    return glob && std::any_of(names.begin(), names.end(),
                               [&](const std::string &name) { return glob->matches(name); });
  }

  void checkOne(const std::string &key, std::size_t index, const std::string &pattern,
                const std::string &whole) {
    if (matchesOne(pattern, known_)) return;
    const std::string at = key + '[' + std::to_string(index) + ']';
    const std::string place = placedKey(configuration_, at);
    if (!isPlainName(pattern) || matchesOne(pattern, expected_)) {
      found.warnings.push_back(place + ": no " + kind_ + " matches " + pattern +
                               " yet: the rule is about nothing until one does");
      return;
    }
    std::string text = place + ": there is no " + kind_ + " \"" + pattern + '"';
    if (whole == pattern && key.ends_with("_skills"))
      text += " (a pattern is <source>/<path>, such as \"*/" + pattern + "\")";
    if (const std::string hint = didYouMean(pattern, known_); !hint.empty()) {
      text += hint;
    } else if (known_.empty()) {
      text += "; there is none";
    } else {
      text += "; there is ";
      for (const std::string &one : known_) text += (&one == known_.data() ? "" : ", ") + one;
    }
    found.problems.push_back(text);
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

std::string ruleKey(const char *list, std::size_t index, const char *member) {
  return std::string(list) + '[' + std::to_string(index) + "]." + member;
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
  NameChecker visible(configuration, "source or plugin", std::move(names), expected);
  const auto &visibility = configuration.access.visibility;
  for (std::size_t i = 0; i < visibility.size(); ++i)
    visible.check(ruleKey("access.visibility", i, "sources"), visibility[i].sources);
  const auto &trust = configuration.trust.rules;
  for (std::size_t i = 0; i < trust.size(); ++i)
    sources.check(ruleKey("trust.rules", i, "sources"), trust[i].sources);
  sources.check("http.publish", configuration.http.publish);
  sources.checkPaths("include_skills", configuration.includeSkills);
  sources.checkPaths("exclude_skills", configuration.excludeSkills);
  NameProblems all = std::move(visible.found);
  addAll(all, std::move(sources.found));
  return all;
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
