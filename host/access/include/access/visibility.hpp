// SPDX-License-Identifier: Apache-2.0
// Who sees which skills and tools of plugins: rules of the configuration, and the catalogue as each
// caller sees it.
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

// Names skills by source and category, tools of plugins by instance, and says who sees them.
struct VisibilityRule {
  std::vector<std::string> sources, categories; // globs; one of each must match; empty: any
  // Satisfied by one of the scopes, or by a subject that matches one of the globs; with issuers
  // only if they are of one of these too. Issuers alone: by whoever is of one of these. All empty:
  // by nobody.
  std::vector<std::string> scopes, principals;
  std::vector<std::string> issuers; // whole; compared by isSameIssuer()
};

// A skill that a rule names is seen by those alone who satisfy one of the rules that name it; all
// others are seen by everybody. The rules can be replaced while the server runs; a key goes on with
// the ones it was made by. Any thread.
class Visibility {
  struct Rules;

public:
  // The rules of one moment; immutable.
  using RulesPointer = std::shared_ptr<const Rules>;

  // Which rules a principal satisfies. Equal keys see the same; those of other rules are never
  // equal.
  class Key {
  public:
    Key() = default; // nothing is hidden from it
    // Differs from that of every key that is not equal.
    std::string text() const;
    // The same for the same rules in another process: what is kept for one view is never taken for
    // that of another. Letters and digits.
    std::string mark() const;
    friend bool operator==(const Key &a, const Key &b) noexcept {
      return a.rules_ == b.rules_ && a.satisfied_ == b.satisfied_;
    }

  private:
    friend class Visibility;
    RulesPointer rules_;
    std::vector<bool> satisfied_;
  };

  // Throws std::invalid_argument when a glob is none.
  explicit Visibility(const std::vector<VisibilityRule> &rules = {});

  // Rules that do not hold yet. What `leaving` names are sources that are no more, or are others,
  // once they hold. Throws as the constructor does.
  using Prepared = std::shared_ptr<Rules>;
  static Prepared prepare(const std::vector<VisibilityRule> &rules, std::set<std::string> leaving);
  // From now on these rules hold. The sources that leave are seen by nobody in the catalogues up to
  // `generation`: no rule may be left that hid them.
  void replace(const Prepared &next, std::uint64_t generation) noexcept;
  RulesPointer rules() const { return rules_.copy(); }

  // By the rules of the moment. Null satisfies no rule. Take the catalogue that is looked at first:
  // a key that is older than its catalogue may see what a new rule hides.
  Key keyOf(const Principal *principal) const { return keyOf(rules(), principal); }
  static Key keyOf(RulesPointer rules, const Principal *principal);
  // Whether nothing can be hidden: what counts more than is seen is said to these alone.
  static bool seesAll(const Key &key) noexcept;
  // Whether the rules that it was made by still hold.
  bool isCurrent(const Key &key) const { return key.rules_ == rules(); }
  // Whether what a source brings that has no category is seen; tools of plugins are no skills, and
  // the rules for sources hold for them.
  static bool sees(const Key &key, const std::string &source) { return sees(key, source, {}); }
  // What is seen of `catalogue` with this key: made once for both. A bounded number is kept.
  static std::shared_ptr<const Catalogue> view(const std::shared_ptr<const Catalogue> &catalogue,
                                               const Key &key);

private:
  static bool matches(const std::vector<Glob> &globs, const std::string &text);
  static bool sees(const Key &key, const std::string &source, const std::string &category);
  // Whether it is seen whatever its category is.
  static bool seesAnyCategory(const Key &key, const std::string &source);

  Guarded<RulesPointer> rules_;
};

} // namespace skillhost
