// SPDX-License-Identifier: Apache-2.0
// Tests that texts that were decided on are kept for a while.
#include "catch2.hpp"
#include "ground/blake3.hpp"
#include "review/kept_files.hpp"
#include "temporary_folder.hpp"

#include <filesystem>
#include <fstream>

using namespace skillhost;

TEST_CASE("what no decision names goes after a while, and nothing else does") {
  const TemporaryFolder folder;
  const KeptFiles kept(folder.path() + "/kept");
  const auto file = [&](const std::string &name) { return folder.path() + "/kept/" + name; };
  const auto keep = [&](const std::string &text) {
    kept.keep(blake3Hex(text), text);
    return blake3Hex(text);
  };
  const std::string used = keep("used"), unused = keep("unused"), fresh = keep("fresh");
  std::ofstream(file("notes.txt")) << "not ours";
  const auto old =
      std::filesystem::file_time_type::clock::now() - keptUnused - std::chrono::hours(1);
  for (const std::string &name : {used, unused, std::string("notes.txt")})
    std::filesystem::last_write_time(file(name), old);
  kept.tidy({used});
  CHECK(kept.get(used) == "used");
  CHECK_FALSE(kept.get(unused));
  CHECK(kept.get(fresh) == "fresh");
  CHECK(std::filesystem::exists(file("notes.txt")));
  kept.tidy({}); // it was in use a moment ago
  CHECK(kept.get(used) == "used");
}
