// SPDX-License-Identifier: Apache-2.0
#include "access/visibility.hpp"

#include "access/audience.hpp"
#include "ground/sha256.hpp"
#include "ground/url.hpp"
#include "skills/view.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxViews = 64;

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

struct Visibility::Rules {
  struct Rule {
    std::vector<Glob> sources, categories, principals;
    std::vector<std::string> scopes, issuers;
    VisibilityRule definition;

    bool namesSource(const std::string &source) const {
      return sources.empty() || matches(sources, source);
    }
    bool namesCategory(const std::string &category) const {
      return categories.empty() || matches(categories, category);
    }
    bool satisfiedBy(const Principal &principal) const {
      if (!issuers.empty()) {
        if (std::none_of(issuers.begin(), issuers.end(), [&](const std::string &one) {
              return isSameIssuer(one, principal.issuer);
            }))
          return false;
        if (scopes.empty() && principals.empty()) return true;
      }
      return std::any_of(scopes.begin(), scopes.end(),
                         [&](const std::string &scope) { return principal.has(scope); }) ||
             matches(principals, principal.subject);
    }
  };
  struct View {
    std::shared_ptr<const Catalogue> whole, seen;
    std::vector<bool> satisfied;
  };
  std::vector<Rule> rules;
  std::set<std::string> leaving; // sources that nobody sees in catalogues up to `generation`
  std::uint64_t generation = 0;
  std::uint64_t number = 0;                 // number of this set of rules in this process
  std::string text;                         // all rules as one text
  mutable Guarded<std::vector<View>> views; // the most recently used one is the last

  bool isLeaving(const Catalogue &catalogue) const noexcept {
    return !leaving.empty() && catalogue.generation() <= generation;
  }
};

std::string Visibility::Key::text() const {
  std::string text = rules_ ? std::to_string(rules_->number) + ':' : std::string();
  for (const bool satisfied : satisfied_) text += satisfied ? '1' : '0';
  return text;
}

std::string Visibility::Key::mark() const {
  // The first digest initialises OpenSSL, which takes longer than everything else before the answer
  // to `initialize`. So it is computed here, for the index of a view, and not with the rules.
  std::string satisfied = rules_ ? sha256Hex(rules_->text) : std::string();
  for (const bool one : satisfied_) satisfied += one ? '1' : '0';
  return sha256Hex(satisfied).substr(0, 12);
}

Visibility::Visibility(const std::vector<VisibilityRule> &rules) : rules_(prepare(rules, {})) {}

Visibility::Prepared Visibility::prepare(const std::vector<VisibilityRule> &rules,
                                         std::set<std::string> leaving) {
  static std::atomic<std::uint64_t> made{0};
  auto prepared = std::make_shared<Rules>();
  std::string &text = prepared->text;
  for (const VisibilityRule &rule : rules) {
    prepared->rules.push_back({compileAll(rule.sources), compileAll(rule.categories),
                               compileAll(rule.principals), rule.scopes, rule.issuers, rule});
    for (const auto *const list :
         {&rule.sources, &rule.categories, &rule.principals, &rule.scopes, &rule.issuers}) {
      for (const std::string &one : *list) text += std::to_string(one.size()) + ':' + one;
      text += '\n';
    }
  }
  prepared->leaving = std::move(leaving);
  prepared->number = ++made;
  return prepared;
}

void Visibility::replace(const Prepared &next, std::uint64_t generation) noexcept {
  next->generation = generation;
  RulesPointer former = next; // destroyed without the lock
  rules_.with([&](RulesPointer &current) { current.swap(former); });
}

bool Visibility::matches(const std::vector<Glob> &globs, const std::string &text) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const Glob &glob) { return glob.matches(text); });
}

Visibility::Key Visibility::keyOf(RulesPointer rules, const Principal *principal) {
  Key key;
  key.rules_ = std::move(rules);
  const std::vector<Rules::Rule> &all = key.rules_->rules;
  key.satisfied_.resize(all.size(), false);
  if (principal == nullptr) return key;
  for (std::size_t i = 0; i < all.size(); ++i) key.satisfied_[i] = all[i].satisfiedBy(*principal);
  return key;
}

bool Visibility::seesAll(const Key &key) noexcept {
  return std::all_of(key.satisfied_.begin(), key.satisfied_.end(),
                     [](bool satisfied) { return satisfied; });
}

bool Visibility::sees(const Key &key, const std::string &source, const std::string &category) {
  if (!key.rules_) return true;
  bool named = false;
  for (std::size_t i = 0; i < key.satisfied_.size(); ++i) {
    const Rules::Rule &rule = key.rules_->rules[i];
    if (!rule.namesSource(source)) continue;
    if (!rule.namesCategory(category)) continue;
    if (key.satisfied_[i]) return true;
    named = true;
  }
  return !named;
}

bool Visibility::seesAnyCategory(const Key &key, const std::string &source) {
  if (!key.rules_) return true;
  bool named = false, all = true;
  for (std::size_t i = 0; i < key.satisfied_.size(); ++i) {
    const Rules::Rule &rule = key.rules_->rules[i];
    if (!rule.namesSource(source)) continue;
    if (!rule.categories.empty()) {
      all = all && key.satisfied_[i];
      continue;
    }
    if (key.satisfied_[i]) return true;
    named = true;
  }
  return !named && all;
}

std::shared_ptr<const Catalogue> Visibility::view(const std::shared_ptr<const Catalogue> &catalogue,
                                                  const Key &key) {
  const bool isLeaving = key.rules_ && key.rules_->isLeaving(*catalogue);
  if (seesAll(key) && !isLeaving) return catalogue;
  using Views = std::vector<Rules::View>;
  const auto kept = [&](Views &views) -> std::shared_ptr<const Catalogue> {
    const auto found = std::find_if(views.begin(), views.end(), [&](const Rules::View &view) {
      return view.whole == catalogue && view.satisfied == key.satisfied_;
    });
    if (found == views.end()) return nullptr;
    std::rotate(found, found + 1, views.end());
    return views.back().seen;
  };
  if (auto seen = key.rules_->views.with(kept)) return seen;
  const auto leaves = [&](const std::string &source) {
    return isLeaving && key.rules_->leaving.contains(source);
  };
  auto made = viewOf(
      catalogue,
      [&](const Skill &skill) {
        if (leaves(skill.source)) return false;
        return skill.fields.isCategoryUnsure ? seesAnyCategory(key, skill.source)
                                             : sees(key, skill.source, skill.fields.category);
      },
      [&](const std::string &source) { return !leaves(source) && sees(key, source); });
  return key.rules_->views.with([&](Views &views) {
    if (auto seen = kept(views)) return seen; // another thread was faster
    // Only the last one of the older catalogues is needed again, to see what has changed.
    std::erase_if(views, [&](const Rules::View &view) {
      return view.whole->generation() + 1 < catalogue->generation();
    });
    if (views.size() >= maxViews) views.erase(views.begin());
    views.push_back({catalogue, made, key.satisfied_});
    return made;
  });
}

Audience audienceOf(const Visibility::RulesPointer &rules, const Skill &skill) {
  Audience ofCategory, ofSource;
  const bool isUnsure = skill.fields.isCategoryUnsure;
  for (const auto &rule : rules->rules) {
    if (!rule.namesSource(skill.source)) continue;
    if (rule.categories.empty())
      ofSource.rules.push_back(rule.definition);
    else if (isUnsure || rule.namesCategory(skill.fields.category))
      ofCategory.rules.push_back(rule.definition);
  }
  // As in seesAnyCategory: a caller who may see the source sees the skill in any category.
  if (isUnsure && !ofSource.rules.empty()) return ofSource;
  ofCategory.needsAll = isUnsure && ofCategory.rules.size() > 1;
  ofCategory.rules.insert(ofCategory.rules.end(), ofSource.rules.begin(), ofSource.rules.end());
  return ofCategory;
}

} // namespace skillhost
