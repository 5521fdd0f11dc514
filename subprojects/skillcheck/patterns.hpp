// SPDX-License-Identifier: Apache-2.0
// The patterns for the content rules, as data. A pattern is tried on each line of normalised text
// that contains one of its words.
#pragma once

#include "skillmd/finding.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace skillhost {

// The names of the severities in the tables of rules and patterns.
inline constexpr Severity high = Severity::Error, medium = Severity::Warning,
                          low = Severity::Advice;

// The influence of a passage's place on its severity.
enum class Speech : std::uint8_t {
  Command,  // real in code; in prose perhaps only mentioned
  Download, // likewise, and the host counts
  Words,    // real in prose; in code or quotation marks perhaps an example
  Page,     // likewise, and the host counts
  Anywhere,
};

// A fact that is harmless alone; see Sequence.
enum class Fact : std::uint8_t {
  None,
  SavesDownload, // with the file's name
  RunsFile,      // with the file's name
  FetchesInto,   // with the variable's name
  DecodesInto,   // with the variable's name
  EvaluatesVariable,
  OpensSocket,
  DuplicatesDescriptor,
  StartsShell,
  OpensTcpDescriptor, // with its number
  ShellOnDescriptor,  // with its number
  TcpClient,
  EvaluatesText,
  ConnectsInNode,
  StartsChildInNode,
  NamesArchive,
  PasswordForArchive,
  ReadsCredentials,
  Sends,
  WholeEnvironment,
  SecretInto, // with the variable's name
  SendsVariable,
  SecretIntoMap,
  WritesJson,
  PicksSecrets, // by their names
  RequiresInstallation,
  NamesDownloadPage,
  AfterEveryTask,
  SendsToServer,
  NamesEndpoint,
  PostsFiles,
};
constexpr std::size_t facts = static_cast<std::size_t>(Fact::PostsFiles) + 1;

struct Pattern {
  std::string_view rule; // empty: only for the fact
  Severity severity;
  Speech speech;
  Fact fact;
  std::string_view words;      // lower case, separated by commas
  std::string_view expression; // RE2, ignoring case; the first group is the fact's name
};

// A rule for several facts near one another. The finding is at the first of them.
struct Sequence {
  std::string_view rule;
  Severity severity;
  Speech speech;
  std::array<Fact, 3> parts; // None: fewer parts
  std::size_t lines;         // most lines between the first fact and the last
  enum class Order : std::uint8_t { Any, InOrder, SameName } order;
};

std::vector<Pattern> allPatterns();
std::span<const Sequence> allSequences() noexcept;

// The tables by subject.
std::span<const Pattern> runningPatterns() noexcept;
std::span<const Pattern> secretPatterns() noexcept;
std::span<const Pattern> exfiltrationPatterns() noexcept;
std::span<const Pattern> persistencePatterns() noexcept;
std::span<const Pattern> instructionPatterns() noexcept;

} // namespace skillhost
