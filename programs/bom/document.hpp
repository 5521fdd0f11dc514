// SPDX-License-Identifier: Apache-2.0
// A bill of materials in CycloneDX 1.6: the served skills and their plugins.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace skillhost::app {

struct BomFile {
  std::string path, digest; // 64 hexadecimal digits of SHA-256
  std::uint64_t size = 0;
  bool executable = false;
};

struct BomSkill {
  std::string id, name, source, uri;                 // the id is unique
  std::string version, description, licence, digest; // from the front matter, except the digest
  std::vector<std::string> authors;
  std::vector<BomFile> files; // sorted by path
  Json facts;                 // an object with the source's statements
  std::size_t tokens = 0, findings = 0;
};

struct BomPlugin {
  std::string id, version, summary, licence, kind, isolation, digest; // digest of its file
  std::vector<std::string> instances;                                 // names in the configuration
};

struct Bom {
  std::string version;    // of skillhost
  std::int64_t made = 0;  // Unix seconds
  bool withFiles = false; // lists each file of a skill as a component
  std::vector<BomSkill> skills;
  std::vector<BomPlugin> plugins;
};

// Returns the same document for the same bill, whatever the order of its parts.
Json cycloneDx(Bom bom);

} // namespace skillhost::app
