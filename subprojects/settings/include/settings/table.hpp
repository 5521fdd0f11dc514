// SPDX-License-Identifier: Apache-2.0
// The keys of a configuration as a table, from which their documentation and the schema for editors
// are written.
#pragma once

#include "ground/json.hpp"
#include "settings/declarations.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::settings {

enum class Shape : std::uint8_t {
  Flag,
  WholeNumber,
  Number,
  Text,
  Choice,
  TextList,
  NumberMap,
  Object,
  Entries // a list of maps
};

// A key with all facts that are documented about it.
struct Row {
  std::string_view name;   // dotted, "limits.max_depth"; for a key of an entry its own name
  std::string_view option; // option of the command line, "--expose"; empty: none
  std::string variable;    // variable of the environment; empty: none
  std::string_view help;   // sentences
  Shape shape = Shape::Text;
  std::uint64_t minimum = 0, maximum = UINT64_MAX; // limits of a number's value or a text's length
  Meaning meaning = Meaning::Plain;
  std::span<const std::string_view> choices{};
  Json standard{};         // the default; null: there is none
  bool isRequired = false; // true for a key that each entry must have, which then has no default
  // For Entries: the word for the list ("sources"), the words for one entry ("An entry"), its keys,
  // and an example of an entry in YAML, whose lines end with line feeds.
  std::string_view entries{}, entry{};
  std::vector<Row> parts{};
  std::string example{};
};

// The heading of a section.
struct Heading {
  std::string_view name, help;
};

// Returns "serve, warn or quarantine".
std::string inWords(std::span<const std::string_view> choices);

// Returns every key with its default and its help, as YAML that reads as the defaults. The rows of
// a section stand together.
std::string exampleYaml(std::span<const Row> rows, std::span<const Heading> headings,
                        std::string_view introduction);
// Returns a table in Markdown.
std::string markdownTable(std::span<const Row> rows);
// Returns a JSON Schema for editors that check and complete the file.
std::string jsonSchema(std::span<const Row> rows, std::span<const Heading> headings,
                       std::string_view title);

} // namespace skillhost::settings
