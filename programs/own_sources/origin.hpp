// SPDX-License-Identifier: Apache-2.0
// The origin of skills, from one word of a user.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace skillhost::app {

struct Origin {
  std::string plugin; // "github", "well_known", "filesystem"
  Json config;        // for the plugin
  std::string name;   // suggested name of its source
  // The page of a repository does not show where its ref ends: see interpretationsOf().
  bool mayRefContinue = false;
};

// Parses OWNER/REPO[/path][@ref], a URL of a repository ([@ref], or a page of it) or of a web
// server, a folder, a SKILL.md or a bare repository. `plugin` decides if it is not empty. `home`
// replaces "~". A failure says what to write.
Result<Origin> originOf(const std::string &word, const std::string &plugin,
                        const std::string &workingDirectory, const std::string &home);

// Returns all readings of an origin, the one with the longest ref first: in "tree/feature/x/pdf"
// the ref may be "feature/x/pdf", "feature/x" or "feature". Returns a single reading if it is
// unambiguous.
std::vector<Origin> interpretationsOf(const Origin &origin);

// Returns the full SHA of the commit at the start of `revision` if `ref` is an abbreviation of it,
// or else `ref`. An abbreviation becomes ambiguous when a commit with the same beginning is made.
std::string wholeRef(const std::string &ref, const std::string &revision);

// Escapes a configuration so that it is read literally. What a user types must never become a
// reference to a secret, which would be sent to the server in the address.
Status makeLiteral(Json &config);

// Returns a source's configuration in one line for people: the URL with folder and ref, or the
// folders.
std::string originInWords(const Json &config);

} // namespace skillhost::app
