// SPDX-License-Identifier: Apache-2.0
// The arguments of a command that takes the options of the server, and the configuration they set.
#pragma once

#include "app/configuration.hpp"
#include "app/surroundings.hpp"
#include "client_invocation.hpp"
#include "commandline/parser.hpp"
#include "new_skill.hpp"
#include "own_sources_invocation.hpp"
#include "review_invocation.hpp"
#include "search_invocation.hpp"
#include "usage_invocation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

// For `doctor`.
struct DoctorInvocation {
  std::string problems; // of the configuration, one a line; empty: it could be read
  bool json = false;
};

struct CatalogueInvocation {
  enum class Command : std::uint8_t {
    Plugins,       // json, lockFile
    Search,        // search, json; at most configuration.defaultTopK results of a query
    SkillList,     // json
    SkillInfo,     // skill, json
    NewSkill,      // newSkill; no configuration
    ClientConfig,  // client; no configuration
    Bom,           // json, bomFiles
    SourceList,    // json
    SourceStatus,  // sources, json
    SourceRefresh, // sources, json
    Usage,         // usage
    OwnSources,    // ownSources; the configuration
    Doctor,        // doctor; the configuration, when it could be read
    Review,        // review
    Lock,          // lockFile (empty: the configuration's), checkLock
  };

  Command command = Command::SkillList;
  Configuration configuration;
  std::string configurationFile;     // that was read; empty: none
  std::vector<std::string> warnings; // about the configuration, to be logged by the caller
  std::vector<std::string> notices;  // the same
  bool json = false;
  bool bomFiles = false;  // each file is a component
  std::string lockFile;   // to be written
  bool checkLock = false; // only compared
  ReviewInvocation review;
  SearchInvocation search;
  UsageInvocation usage;
  std::string skill;
  std::vector<std::string> sources; // their names; empty: all
  NewSkillInvocation newSkill;
  ClientInvocation client;
  OwnSourcesInvocation ownSources;
  DoctorInvocation doctor;
};

// Reads the configuration where the command needs one, and starts nothing, prints nothing. The
// failure's message names the option, or the file with line and column, and says what to write.
Result<CatalogueInvocation> catalogueInvocation(const ParsedArguments &given,
                                                const Surroundings &surroundings);

} // namespace skillhost::app
