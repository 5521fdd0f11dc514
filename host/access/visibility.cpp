// SPDX-License-Identifier: Apache-2.0
#include "access/visibility.hpp"

#include "skills/view.hpp"

#include <algorithm>
#include <stdexcept>

namespace skillhost {
namespace {

constexpr std::size_t mostViews = 64;

std::vector<Glob> compileAll(const std::vector<std::string> &patterns) {
  std::vector<Glob> globs;
  for (const std::string &pattern : patterns) {
    Result<Glob> glob = Glob::compile(pattern);
    if (!glob) throw std::invalid_argument(pattern + ": " + glob.failure().message);
    globs.push_back(*std::move(glob));
  }
  return globs;
}

} // namespace

Visibility::Visibility(const std::vector<VisibilityRule> &rules) {
  for (const VisibilityRule &rule : rules)
    rules_.push_back({compileAll(rule.sources), compileAll(rule.categories),
                      compileAll(rule.principals), rule.scopes});
}

bool Visibility::matches(const std::vector<Glob> &globs, const std::string &text) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const Glob &glob) { return glob.matches(text); });
}

Visibility::Key Visibility::keyOf(const Principal *principal) const {
  Key key(rules_.size(), false);
  if (principal == nullptr) return key;
  for (std::size_t i = 0; i < rules_.size(); ++i)
    key[i] = std::any_of(rules_[i].scopes.begin(), rules_[i].scopes.end(),
                         [&](const std::string &scope) { return principal->has(scope); }) ||
             matches(rules_[i].principals, principal->subject);
  return key;
}

bool Visibility::sees(const Key &key, const std::string &source,
                      const std::string &category) const {
  bool named = false;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const Rule &rule = rules_[i];
    if (!rule.sources.empty() && !matches(rule.sources, source)) continue;
    if (!rule.categories.empty() && !matches(rule.categories, category)) continue;
    if (key[i]) return true;
    named = true;
  }
  return !named;
}

std::shared_ptr<const Catalogue> Visibility::view(const std::shared_ptr<const Catalogue> &catalogue,
                                                  const Key &key) const {
  if (rules_.empty()) return catalogue;
  const auto kept = [&](std::vector<View> &views) -> std::shared_ptr<const Catalogue> {
    const auto found = std::find_if(views.begin(), views.end(), [&](const View &view) {
      return view.whole == catalogue && view.key == key;
    });
    if (found == views.end()) return nullptr;
    std::rotate(found, found + 1, views.end());
    return views.back().seen;
  };
  if (auto seen = views_.with(kept)) return seen;
  auto made = viewOf(catalogue, [&](const Skill &skill) {
    return sees(key, skill.source, skill.fields.category);
  });
  return views_.with([&](std::vector<View> &views) {
    if (auto seen = kept(views)) return seen; // somebody else was faster
    // Of catalogues that are gone only the last is asked for once more, to see what has changed.
    std::erase_if(views, [&](const View &view) {
      return view.whole->generation() + 1 < catalogue->generation();
    });
    if (views.size() >= mostViews) views.erase(views.begin());
    views.push_back({catalogue, made, key});
    return made;
  });
}

} // namespace skillhost
