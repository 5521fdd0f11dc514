// SPDX-License-Identifier: Apache-2.0
// What the person who started the program wants, read from the command line and everything below
// it.
#pragma once

#include "app/client_invocation.hpp"
#include "app/configuration.hpp"
#include "app/own_sources_invocation.hpp"
#include "app/review_invocation.hpp"
#include "app/search_invocation.hpp"
#include "app/surroundings.hpp"
#include "app/usage_invocation.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skillhost::app {

// For `skill new`.
struct NewSkillInvocation {
  std::string name;
  std::string folder;      // absolute: where the skill's own folder is made
  std::string description; // empty: one to be rewritten
};

// For `doctor`.
struct DoctorInvocation {
  std::string problems; // of the configuration, one a line; empty: it could be read
  bool json = false;
};

// For a command that is a program of its own.
struct ProgramInvocation {
  std::string name;                   // of the program: skillhost-NAME
  std::vector<std::string> arguments; // as they were given, the command first
};

// What `validate` prints, and what makes it end with 1.
enum class ReportForm : std::uint8_t { Text, Json, Sarif };
enum class FailOn : std::uint8_t { Error, Warning, Advice, Never };

struct Invocation {
  enum class Command : std::uint8_t {
    Serve,
    Validate,      // paths, skillRules, hidden, form, failOn
    Plugins,       // json, lockFile
    Search,        // search, json; at most configuration.defaultTopK results of a query
    SkillList,     // json
    SkillInfo,     // skill, json
    Bom,           // json, bomFiles
    SourceList,    // json
    SourceStatus,  // sources, json
    SourceRefresh, // sources, json
    Usage,         // usage
    NewSkill,      // newSkill
    ClientConfig,  // client
    OwnSources,    // ownSources; the configuration
    Doctor,        // doctor; the configuration, when it could be read
    Review,        // review
    Lock,          // lockFile (empty: the configuration's), checkLock
    Program,       // program
    Print,         // text to stdout, note to stderr, exit 0: help, version, completion, ...
  };

  Command command = Command::Serve;
  Configuration configuration;       // not for Validate, Print
  std::string configurationFile;     // that was read; empty: none
  std::vector<std::string> warnings; // about the configuration, to be logged by the caller
  std::vector<std::string> notices;  // the same
  bool json = false;
  Strictness skillRules = Strictness::Lenient;
  bool hidden = false;
  bool bomFiles = false; // each file is a component
  ReportForm form = ReportForm::Text;
  FailOn failOn = FailOn::Error;
  std::vector<std::string> paths; // absolute
  std::string lockFile;           // to be written
  bool checkLock = false;         // only compared
  ReviewInvocation review;
  SearchInvocation search;
  UsageInvocation usage;
  std::string skill;
  std::vector<std::string> sources; // their names; empty: all
  NewSkillInvocation newSkill;
  ClientInvocation client;
  OwnSourcesInvocation ownSources;
  DoctorInvocation doctor;
  ProgramInvocation program;
  std::string text;
  std::string note;
};

// `arguments` without the program's name. Reads the configuration where the command needs one, and
// starts nothing, prints nothing. The failure's message is for stderr, then exit 1: it names the
// option, or the file with line and column, and says what to write.
Result<Invocation> parseCommandLine(std::span<const std::string> arguments,
                                    const Surroundings &surroundings);

} // namespace skillhost::app
