// SPDX-License-Identifier: Apache-2.0
// A bill of materials as CycloneDX 1.6 writes it: what is served, and by which plugins.
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
  std::string version, description, licence, digest; // of the front matter; the digest as in a file
  std::vector<std::string> authors;
  std::vector<BomFile> files; // by path
  Json facts;                 // an object: what the source states
  std::size_t tokens = 0, findings = 0;
};

struct BomPlugin {
  std::string id, version, summary, licence, kind, isolation, digest; // of its file
  std::vector<std::string> instances; // as the configuration has them
};

struct Bom {
  std::string version;    // of skillhost
  std::int64_t made = 0;  // Unix seconds
  bool withFiles = false; // each file of a skill is a component in it
  std::vector<BomSkill> skills;
  std::vector<BomPlugin> plugins;
};

// The same for the same bill, however its parts are ordered.
Json cycloneDx(Bom bom);

} // namespace skillhost::app
