// SPDX-License-Identifier: Apache-2.0
// Who sees which skills and tools of plugins: rules of the configuration, and the catalogue as each
// caller sees it.
#pragma once

#include "access/principal.hpp"
#include "base/guarded.hpp"
#include "skills/catalogue.hpp"
#include "skills/glob.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace skillhost {

// Names skills by source and category, tools of plugins by instance, and says who sees them.
struct VisibilityRule {
  std::vector<std::string> sources, categories; // globs; one of each must match; empty: any
  // Satisfied by one of the scopes, or by a subject that matches one of the globs. Both empty: by
  // nobody.
  std::vector<std::string> scopes, principals;
};

// A skill that a rule names is seen by those alone who satisfy one of the rules that name it; all
// others are seen by everybody. Any thread.
class Visibility {
public:
  // Which rules a principal satisfies. Equal keys see the same.
  using Key = std::vector<bool>;

  // Throws std::invalid_argument when a glob is none.
  explicit Visibility(const std::vector<VisibilityRule> &rules = {});

  bool hidesNothing() const noexcept { return rules_.empty(); }
  // Null satisfies no rule.
  Key keyOf(const Principal *principal) const;
  // Whether what a source brings that has no category is seen; tools of plugins are no skills, and
  // the rules for sources hold for them.
  bool sees(const Key &key, const std::string &source) const { return sees(key, source, {}); }
  // What is seen of `catalogue` with this key: made once for both. A bounded number is kept.
  std::shared_ptr<const Catalogue> view(const std::shared_ptr<const Catalogue> &catalogue,
                                        const Key &key) const;

private:
  struct Rule {
    std::vector<Glob> sources, categories, principals;
    std::vector<std::string> scopes;
  };
  struct View {
    std::shared_ptr<const Catalogue> whole, seen;
    Key key;
  };
  static bool matches(const std::vector<Glob> &globs, const std::string &text);
  bool sees(const Key &key, const std::string &source, const std::string &category) const;

  std::vector<Rule> rules_;
  mutable Guarded<std::vector<View>> views_; // used last at the end
};

} // namespace skillhost
