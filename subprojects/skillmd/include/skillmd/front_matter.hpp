// SPDX-License-Identifier: Apache-2.0
// Front matter: the YAML between the two `---` lines at the top of a document, read as the YAML 1.2
// core schema reads it.
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

// Where something stands in the document, both 1-based; 0 means unknown. Columns are characters.
struct Place {
  std::size_t line = 0, column = 0;
};

struct FrontMatter {
  struct Key {
    std::string name;
    Place place;
  };
  // How a scalar that is no string was written: "1.0" for the number 1. Path is `version` or
  // `metadata/version`; deeper ones are not kept. Of `description` also a list or a map.
  struct Written {
    std::string path, text;
  };

  Json fields = Json::object(); // in the order of the document
  std::size_t bodyOffset = 0;   // the byte after the closing line
  std::vector<Key> keys;        // the top-level keys
  std::vector<Written> written;
  std::optional<Place> flow; // the first list or map in [] or {}
  // The whole description where YAML takes a part of it for a comment; empty: as YAML reads it.
  std::string described;
  bool mended = false; // YAML or JSON refuses it; it was read as a person reads it

  // What was rewritten or left out may have been the category: nobody is to see a skill for its
  // absence.
  bool categoryUnsure = false;

  // Where the top-level key stands; nothing known when there is none.
  Place placeOf(std::string_view key) const noexcept;
  // The text of the scalar at `path` (see Written): a string's value, anything else as written.
  // Empty for null, for lists and maps (see Written) and for what is not there.
  std::optional<std::string> text(std::string_view path) const;
};

struct FrontMatterResult {
  std::optional<FrontMatter> frontMatter; // empty exactly when there is an error among the findings
  std::vector<Finding> findings;
  bool mendable = false; // refused as broken, not because of a limit of ours
  bool nearMiss = false; // the findings say what the author meant

  static FrontMatterResult refused(Finding finding, bool mendable) {
    return {std::nullopt, {std::move(finding)}, mendable};
  }
};

// Names the rules that a skill has to keep; a skill that breaks them is skipped, with an error for
// each breach.
// - Lenient: whatever can be read is served, and a warning says what is withheld.
// - Basic: the document is SKILL.md in UTF-8, with front matter that YAML takes as it is written, a
//   description, and a name of letters, digits, hyphens and underscores of fewer than 100 bytes.
// - Strict: the rules of the reference validator.
enum class Strictness : std::uint8_t { Lenient, Basic, Strict };

// At most 256 KB, 10 levels, no anchors and aliases, no key twice, one mapping. Lenient: what YAML
// refuses is read as a person reads it, with a warning for each place; what YAML takes is never
// read in another way. `file` is only named in findings. The document need not be text. Any thread;
// never throws but for lack of memory. UTF-16 with a byte order mark is read as UTF-8, and
// `bodyOffset` is that of withoutUtf16() then.
FrontMatterResult parseFrontMatter(std::string_view document, std::string_view file,
                                   Strictness strictness = Strictness::Lenient);

} // namespace skillhost
