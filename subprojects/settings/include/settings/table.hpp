// SPDX-License-Identifier: Apache-2.0
// The keys of a configuration as a table, from which people and editors are told of them.
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

// One key, and everything that is told of it.
struct Row {
  std::string_view name;   // dotted, "limits.max_depth"; of an entry its own name
  std::string_view option; // of the command line, "--expose"; empty: none
  std::string variable;    // of the environment; empty: none
  std::string_view help;   // sentences
  Shape shape = Shape::Text;
  std::uint64_t least = 0, most = UINT64_MAX; // of a number its value, of a text its length
  Meaning meaning = Meaning::Plain;
  std::span<const std::string_view> choices{};
  Json standard{};         // the default; null: there is none
  bool isRequired = false; // a key of an entry, which has no default then
  // Of Entries: what they are ("sources"), what one is called ("An entry"), their keys, and an
  // example of one in YAML, whose lines end with line feeds.
  std::string_view entries{}, entry{};
  std::vector<Row> parts{};
  std::string example{};
};

// Of a section.
struct Heading {
  std::string_view name, help;
};

// "serve, warn or quarantine"
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
