// SPDX-License-Identifier: Apache-2.0
// What finds the things that the rules are about: data. A pattern is tried on a line of normalised
// text that holds one of its words.
#pragma once

#include "skillmd/finding.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace skillhost {

// What the tables of rules and patterns call the severities.
inline constexpr Severity high = Severity::Error, medium = Severity::Warning,
                          low = Severity::Advice;

// How the place where something stands weighs.
enum class Speech : std::uint8_t {
  Command,  // is meant where code is; in prose it may be spoken of
  Download, // the same, and whose host it is counts
  Words,    // is meant in prose; in code or in quotation marks it may be an example
  Anywhere,
};

// What is harmless alone; see Sequence.
enum class Fact : std::uint8_t {
  None,
  SavesDownload, // with the file's name
  RunsFile,      // the same
  FetchesInto,   // with the variable's name
  DecodesInto,   // the same
  EvaluatesVariable,
  OpensSocket,
  DuplicatesDescriptor,
  StartsShell,
  OpensTcpDescriptor, // with its number
  ShellOnDescriptor,  // the same
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
};
constexpr std::size_t facts = static_cast<std::size_t>(Fact::PicksSecrets) + 1;

struct Pattern {
  std::string_view rule; // empty: for the fact alone
  Severity severity;
  Speech speech;
  Fact fact;
  std::string_view words;      // lower-case, a comma between two
  std::string_view expression; // RE2's, in any case; its first group names what a fact is about
};

// A rule that several facts near one another make, the first of them at the place that is told.
struct Sequence {
  std::string_view rule;
  Severity severity;
  Speech speech;
  std::array<Fact, 3> parts; // None: fewer
  std::size_t lines;         // at most so many from the first
  enum class Order : std::uint8_t { Any, InOrder, SameName } order;
};

std::vector<Pattern> allPatterns();
std::span<const Sequence> allSequences() noexcept;

// The tables, by what they are about.
std::span<const Pattern> runningPatterns() noexcept;
std::span<const Pattern> secretPatterns() noexcept;
std::span<const Pattern> exfiltrationPatterns() noexcept;
std::span<const Pattern> persistencePatterns() noexcept;
std::span<const Pattern> instructionPatterns() noexcept;

} // namespace skillhost
