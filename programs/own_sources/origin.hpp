// SPDX-License-Identifier: Apache-2.0
// Where skills come from, in one word of a person.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace skillhost::app {

struct Origin {
  std::string plugin; // "github", "well_known", "filesystem"
  Json config;        // for it
  std::string name;   // what a source of it might be called
  // The page of a repository does not say where its ref ends: see readingsOf().
  bool mayRefContinue = false;
};

// OWNER/REPO[/path][@ref], a URL of a repository ([@ref], or a page of it) or of a web server, a
// folder, a SKILL.md or a bare repository. `plugin` says which it is when that is not to be
// guessed. `home` is what "~" is. Fails with what to write.
Result<Origin> originOf(const std::string &word, const std::string &plugin,
                        const std::string &workingDirectory, const std::string &home);

// All readings of an origin, the one with the longest ref first: in "tree/feature/x/pdf" the ref
// may be "feature/x/pdf", "feature/x" or "feature". One reading where nothing is open.
std::vector<Origin> readingsOf(const Origin &origin);

// The whole SHA of the commit that `revision` begins with, when `ref` is a part of it; else `ref`.
// A part names another commit as soon as somebody has made one that begins alike.
std::string wholeRef(const std::string &ref, const std::string &revision);

// Writes a configuration so that it is read as it is now. What a person types is meant as it is
// typed: nothing in it is a reference to a secret, which would be sent to whoever the address
// names.
Status makeLiteral(Json &config);

// A source's configuration in one line for a person: the URL with folder and ref, or the folders.
std::string originInWords(const Json &config);

} // namespace skillhost::app
