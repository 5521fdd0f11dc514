// SPDX-License-Identifier: Apache-2.0
// Rules that say who sees which skills and plugin tools, and the catalogue as each caller sees it.
#pragma once

#include "access/principal.hpp"
#include "ground/glob.hpp"
#include "ground/guarded.hpp"
#include "skills/catalogue.hpp"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace skillhost {

// Selects skills by source and category, and plugin tools by source, and says who sees them.
struct VisibilityRule {
  // Globs; one of each list must match; an empty list matches all.
  std::vector<std::string> sources, categories;
  // The rule is satisfied by a principal that has one of the scopes or whose subject matches one of
  // the globs; if there are issuers, it must also be of one of them. Issuers alone are satisfied by
  // every principal of one of them. If all three are empty, nobody satisfies the rule.
  std::vector<std::string> scopes, principals;
  std::vector<std::string> issuers; // whole names; compared by isSameIssuer()
};

// If rules select a skill, only callers who satisfy one of these rules see it. Everybody sees all
// other skills. The rules can be replaced while the server runs; a key keeps the rules that it was
// made with. Any thread.
class Visibility {
  struct Rules;

public:
  // An immutable set of rules.
  using RulesPointer = std::shared_ptr<const Rules>;

  // Says which rules a principal satisfies. Equal keys see the same. Keys of different sets of
  // rules are never equal.
  class Key {
  public:
    Key() = default; // nothing is hidden from it
    // Differs for keys that are not equal.
    std::string text() const;
    // Returns the same text for the same rules in another process, in letters and digits, so that
    // data that is kept for one view is never used for another.
    std::string mark() const;
    friend bool operator==(const Key &a, const Key &b) noexcept {
      return a.rules_ == b.rules_ && a.satisfied_ == b.satisfied_;
    }

  private:
    friend class Visibility;
    RulesPointer rules_;
    std::vector<bool> satisfied_;
  };

  // Throws std::invalid_argument if a glob is invalid.
  explicit Visibility(const std::vector<VisibilityRule> &rules = {});

  // Prepares rules that are not in force yet. `leaving` names the sources that are removed or
  // replaced when the rules come into force. Throws as the constructor does.
  using Prepared = std::shared_ptr<Rules>;
  static Prepared prepare(const std::vector<VisibilityRule> &rules, std::set<std::string> leaving);
  // Puts these rules into force. Nobody sees the leaving sources in catalogues up to `generation`,
  // because the rules that hid them may be gone.
  void replace(const Prepared &next, std::uint64_t generation) noexcept;
  RulesPointer rules() const { return rules_.copy(); }

  // Returns the key of a principal by the current rules; null satisfies no rule. Take the catalogue
  // first and then the key: a key that is older than the catalogue may see skills that a new rule
  // hides.
  Key keyOf(const Principal *principal) const { return keyOf(rules(), principal); }
  static Key keyOf(RulesPointer rules, const Principal *principal);
  // Returns true if no rule can hide anything from this key. Only then may counts of all skills be
  // shown.
  static bool seesAll(const Key &key) noexcept;
  // Returns true if the rules of the key are still in force.
  bool isCurrent(const Key &key) const { return key.rules_ == rules(); }
  // Returns true if the key sees the source's objects without a category, such as plugin tools, to
  // which the rules for sources apply.
  static bool sees(const Key &key, const std::string &source) { return sees(key, source, {}); }
  // Returns the part of `catalogue` that this key sees. Views are kept, in a limited number.
  static std::shared_ptr<const Catalogue> view(const std::shared_ptr<const Catalogue> &catalogue,
                                               const Key &key);

private:
  static bool matches(const std::vector<Glob> &globs, const std::string &text);
  static bool sees(const Key &key, const std::string &source, const std::string &category);
  // Returns true if the key sees such a skill whatever its category is.
  static bool seesAnyCategory(const Key &key, const std::string &source);

  Guarded<RulesPointer> rules_;
};

} // namespace skillhost
