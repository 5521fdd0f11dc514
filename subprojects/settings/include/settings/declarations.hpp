// SPDX-License-Identifier: Apache-2.0
// The keys of the configuration that features declare, each in a file of JSON in its own folder.
// README.md describes the format.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::settings {

// What a text stands for: how it is checked, and what becomes of it.
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
  Asker,    // an origin of any scheme, or *: of a page that may ask
  Url,      // of a web server, without a query: https://skills.example.org/mcp
  HostName, // as in a Host field, without its port
  HeaderName,
  Prefix // of keys and channels
};

enum class Type : std::uint8_t { Flag, WholeNumber, Text, Choice, TextList, RuleList };

// What a running server does when it reads its configuration again and finds another value.
enum class Reload : std::uint8_t {
  Restart, // it says that the value holds after a restart
  Applied, // the feature takes it over
  Refused  // it takes over nothing of what it read
};

// One key that a feature owns.
struct Declaration {
  std::string key;    // "metrics.listen", or of an entry of a list "sources[].webhook_secret"
  std::string after;  // the key that it follows in help, schema and example; empty: the last one
  std::string option; // of the command line, "--audit-log"; empty: none
  Type type = Type::Text;
  std::uint64_t least = 0, most = 0; // of a number its value, of a text its length in bytes
  Meaning meaning = Meaning::Plain;
  std::vector<std::string> choices; // of a Choice, and of a TextList that has these words alone
  Json standard;                    // the default; null: there is none
  std::string description;
  Reload reload = Reload::Restart;
  bool namesSources = false; // its globs are about the names of sources
  // Keys without which this one means nothing, each with what to say then.
  std::map<std::string, std::string> needed;
  // Where a path is not set, it is that of the file of this name beside the configuration file;
  // empty: there is no such file. `orHere`: without a configuration file, in the working directory.
  std::string beside;
  bool orHere = false;
  // Of a RuleList: the keys of each of its rules, and rules as a person may write them. The first
  // one stands in messages, the last one in the example.
  std::vector<Declaration> parts;
  Json examples;
  bool isRequired = false; // a key of a rule, which has no default then
};

struct Section {
  std::string name, description;
};

struct Declarations {
  std::vector<Declaration> keys; // in their order; `after` is empty for none that follows another
  std::vector<Section> sections;
};

// Reads what one feature declares. The failure names the key, and says what is wrong with it.
Result<Declarations> readDeclarations(const Json &document);
// Reads a list of what features declare, one document after another, each with the name of its
// feature. Fails if two declare the same key, option or section.
Result<Declarations> readAll(std::string_view index);

// Returns such a list with what the features of this build declare. A source that gather-settings
// has written defines it.
std::string_view gathered() noexcept;

} // namespace skillhost::settings
