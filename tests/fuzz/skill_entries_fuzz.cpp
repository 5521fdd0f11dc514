// SPDX-License-Identifier: Apache-2.0
// Reads any JSON as the skills that a stranger's server lists: the accepted skills keep the rules.
#include "ground/json.hpp"
#include "mcp/entries.hpp"
#include "paths/names.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  using namespace skillhost::mcp_source;
  static const Settings settings(
      R"({"url":"https://example.org","max_skill_files":4,"max_skill_bytes":1000})");
  const auto read =
      skillhost::parseJson({reinterpret_cast<const char *>(data), size}, {64, 10'000});
  if (!read || !read->is_array()) return 0;
  std::vector<skillhost::Json> listed;
  for (const skillhost::Json &one : *read) // what the reader of lists passes on
    if (one.is_object() && one.contains("uri") && one["uri"].is_string()) listed.push_back(one);
  const Entries entries = readEntries(listed, settings);
  std::set<std::string_view> ids;
  for (const StoredSkill &skill : entries.skills) {
    std::uint64_t bytes = 0;
    bool hasEntry = false;
    for (const StoredDocument &document : skill.documents) {
      bytes += document.size;
      hasEntry = hasEntry || document.path == "SKILL.md";
      if (!skillhost::paths::servableBelow(document.path) || document.revision.size() != 64)
        std::abort();
    }
    if (!skillhost::paths::servableBelow(skill.id) || !ids.insert(skill.id).second || !hasEntry ||
        bytes > 1000 || skill.documents.size() > 4)
      std::abort();
  }
  if (entries.findings.size() > 101) std::abort();
  return 0;
}
