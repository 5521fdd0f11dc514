// SPDX-License-Identifier: Apache-2.0
// Reads front matter: the YAML between the two `---` lines at the top of a document, by the core
// schema of YAML 1.2.
#pragma once

#include "ground/json.hpp"
#include "skillmd/finding.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

// A position in the document. Both numbers are 1-based, and 0 means unknown. Columns count
// characters.
struct Place {
  std::size_t line = 0, column = 0;
};

struct FrontMatter {
  struct Key {
    std::string name;
    Place place;
  };
  // How the author wrote a scalar that is not a string: "1.0" for the number 1. `path` is its key,
  // such as `version` or `metadata/version`; deeper scalars are not kept. For `description`, the
  // text of a list or a map is kept, too.
  struct Written {
    std::string path, text;
  };

  Json fields = Json::object(); // in the order of the document
  std::size_t bodyOffset = 0;   // the byte after the closing line
  std::vector<Key> keys;        // the top-level keys
  std::vector<Written> written;
  std::optional<Place> flow; // the first list or map in [] or {}
  // The whole description, if YAML takes a part of it for a comment; otherwise empty.
  std::string described;
  bool mended = false; // YAML or JSON refuses it, so it was read as a person reads it

  // A rewritten or omitted line may have held the category. Nobody may see a skill because its
  // category is missing.
  bool isCategoryUnsure = false;

  // Returns the place of a top-level key; unknown if there is none.
  Place placeOf(std::string_view key) const noexcept;
  // Returns the text of the scalar at `path` (see Written): a string's value, or else the spelling.
  // Empty for null, for a missing value, and for lists and maps that Written does not hold.
  std::optional<std::string> text(std::string_view path) const;
};

struct FrontMatterResult {
  std::optional<FrontMatter> frontMatter; // empty if and only if a finding is an error
  std::vector<Finding> findings;
  bool mendable = false; // the YAML is invalid, so that it may be mended; false: it exceeds a limit
  bool nearMiss = false; // the author's intention is clear, and the findings say what to write

  static FrontMatterResult refused(Finding finding, bool mendable) {
    return {std::nullopt, {std::move(finding)}, mendable};
  }
};

// The rules that a skill has to keep. A skill that breaks them is skipped, with an error for each
// breach.
// - Lenient: everything readable is served, and a warning says what is withheld.
// - Basic: the document is SKILL.md in UTF-8, with front matter that is valid YAML, a description,
//   and a name of letters, digits, hyphens and underscores of fewer than 100 bytes.
// - Strict: the rules of the reference validator.
enum class Strictness : std::uint8_t { Lenient, Basic, Strict };

// Accepts at most 256 KB and 10 levels, no anchors and aliases, no duplicate keys, and one mapping.
// Lenient: front matter that YAML refuses is read as a person reads it, with a warning for each
// place; valid YAML is never reinterpreted. `file` is only named in findings. The document need not
// be text. UTF-16 with a byte order mark is read as UTF-8, and `bodyOffset` is then that of
// withoutUtf16(). May be called on any thread. Throws only if memory is short.
FrontMatterResult parseFrontMatter(std::string_view document, std::string_view file,
                                   Strictness strictness = Strictness::Lenient);

} // namespace skillhost
