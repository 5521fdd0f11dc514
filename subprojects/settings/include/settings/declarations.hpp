// SPDX-License-Identifier: Apache-2.0
// The configuration keys that features declare, each in a JSON file in its own folder. README.md
// describes the format.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::settings {

// The meaning of a text, which decides how it is checked and used.
enum class Meaning : std::uint8_t {
  Plain,
  Path,
  Plugin,
  SourceName,
  Glob,
  Scope,
  Reference,
  Secret,
  Host,     // auto, none, or hosts that may be reached
  Origin,   // of a web server: https://login.example.org:8443
  Asker,    // an origin of any scheme from which a page may ask, or *
  Url,      // of a web server, without a query: https://skills.example.org/mcp
  HostName, // as in a Host field, without its port
  HeaderName,
  Prefix // of keys and channels
};

// OfHost: the host reads the value, and knows its type, its limits and its default.
enum class Type : std::uint8_t { Flag, WholeNumber, Text, Choice, TextList, RuleList, OfHost };

// The reaction of a running server to a changed value in its configuration.
enum class Reload : std::uint8_t {
  Restart, // reports that the value takes effect after a restart
  Applied, // the feature applies it
  Refused  // rejects the whole new configuration
};

// A key that a feature owns.
struct Declaration {
  std::string key;    // "metrics.listen", or for list entries "sources[].webhook_secret"
  std::string after;  // the key before it in help, schema and example; empty: it comes last
  std::string option; // such as "--audit-log"; empty: none
  std::uint64_t minimum = 0, maximum = 0; // limits of a number, or of a text's bytes
  std::vector<std::string> choices; // words of a Choice, or of a TextList that allows only these
  Json standard;                    // the default; null: there is none
  std::string description;
  // The keys that this one requires, each with the message for its absence.
  std::map<std::string, std::string> needed;
  // For a path: the default is the file of this name in the folder of the configuration file.
  // Empty: there is no such default. `orHere`: without a configuration file, the working directory
  // is that folder.
  std::string beside;
  // For a RuleList: the keys of each rule, and examples of rules as a person may write them.
  // Messages quote the first example, and the example configuration contains the last one.
  std::vector<Declaration> parts;
  Json examples;
  Type type = Type::Text;
  Meaning meaning = Meaning::Plain;
  Reload reload = Reload::Restart;
  bool namesSources = false; // its globs match names of sources
  bool orHere = false;
  bool isRequired = false; // true for a key that each rule must have, which then has no default
};

struct Section {
  std::string name, description;
};

struct Declarations {
  std::vector<Declaration> keys; // in order; `after` is empty for a key that follows no other
  std::vector<Section> sections;
};

// Reads the declarations of one feature. A failure names the key and the fault.
Result<Declarations> readDeclarations(const Json &document);
// Reads a list of declaration documents, each with the name of its feature. Fails if two declare
// the same key, option or section.
Result<Declarations> readAll(std::string_view index);

// Returns such a list for the features of this build. gather-settings writes the source that
// defines it.
std::string_view gathered() noexcept;

} // namespace skillhost::settings
