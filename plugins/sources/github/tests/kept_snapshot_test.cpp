// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "fixture.hpp"
#include "github/kept_snapshot.hpp"

#include <fstream>
#include <iterator>

using namespace skillhost::github;
using namespace skillhost::github::test;

namespace {

std::string textOf(const Origin &origin, const std::string &blob) {
  return "the text of " + blob + origin.repository;
}

Snapshot example() {
  Snapshot made;
  made.id = "c0";
  made.origins = {{"", "https://h/o/n/blob/c0", true, "https://h/o/n", "trunk", "c0", 1234},
                  {"o/far", "", false}};
  made.subpath = "skills";
  made.skills.push_back({"a",
                         {{"SKILL.md", "b1", "skills/a/SKILL.md", 14, SKH_DOC_ENTRY},
                          {"data.bin", "b2", "skills/a/data.bin", 1ULL << 40U, 0}}});
  made.skills.push_back({"b",
                         {{"SKILL.md", "b3", "skills/b/SKILL.md", 2ULL << 20U, SKH_DOC_ENTRY},
                          {"run", "b1", "skills/b/run", 14, SKH_DOC_EXECUTABLE}},
                         1});
  return made;
}

void write(const std::string &path) {
  writeKeptSnapshot(path, "layout", example(), {"x: left out"}, textOf, [] {});
}

std::string bytesOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("a snapshot comes back as it was kept, with the text of its entries") {
  const Folder folder;
  const std::string path = folder.at("snapshot");
  CHECK_FALSE(readKeptSnapshot(path, "c0", "layout"));
  write(path);
  const auto kept = readKeptSnapshot(path, "c0", "layout");
  REQUIRE(kept);
  CHECK(kept->findings == std::vector<std::string>{"x: left out"});
  // The text of b is too large and is not kept.
  CHECK(kept->entries == EntryTexts::Texts{{"b1", "the text of b1"}});
  const Snapshot wanted = example();
  CHECK(kept->snapshot->id == wanted.id);
  CHECK(kept->snapshot->subpath == wanted.subpath);
  REQUIRE(kept->snapshot->skills.size() == 2);
  REQUIRE(kept->snapshot->origins.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(kept->snapshot->skills[i].id == wanted.skills[i].id);
    CHECK(kept->snapshot->skills[i].origin == i);
    CHECK(kept->snapshot->origins[i].repository == wanted.origins[i].repository);
    CHECK(kept->snapshot->origins[i].page == wanted.origins[i].page);
    const Origin &is = kept->snapshot->origins[i], &was = wanted.origins[i];
    CHECK(std::tie(is.hasPlaces, is.address, is.ref, is.commit, is.fetched) ==
          std::tie(was.hasPlaces, was.address, was.ref, was.commit, was.fetched));
    REQUIRE(kept->snapshot->skills[i].documents.size() == 2);
    for (std::size_t j = 0; j < 2; ++j) {
      const StoredDocument &is = kept->snapshot->skills[i].documents[j];
      const StoredDocument &was = wanted.skills[i].documents[j];
      CHECK(std::tie(is.path, is.blob, is.place, is.size, is.flags) ==
            std::tie(was.path, was.blob, was.place, was.size, was.flags));
    }
  }
  CHECK_FALSE(readKeptSnapshot(path, "c1", "layout"));
  CHECK_FALSE(readKeptSnapshot(path, "c0", "another"));
}

TEST_CASE("a kept snapshot that is damaged anywhere is none") {
  const Folder folder;
  const std::string path = folder.at("snapshot");
  write(path);
  const std::string whole = bytesOf(path);
  std::size_t believed = 0;
  const auto isBelieved = [&](const std::string &bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return readKeptSnapshot(path, "c0", "layout").has_value();
  };
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string other = whole;
    other[at] = static_cast<char>(other[at] ^ (1 << (at % 8)));
    believed += isBelieved(other) ? 1 : 0;
    believed += isBelieved(whole.substr(0, at)) ? 1 : 0;
  }
  believed += isBelieved(whole + '\0') ? 1 : 0;
  CHECK(believed == 0);
  CHECK(isBelieved(whole));
}

TEST_CASE("a text is taken once") {
  EntryTexts texts;
  texts.replace({{"b1", "x"}});
  CHECK(texts.take("b1") == "x");
  CHECK_FALSE(texts.take("b1"));
  CHECK_FALSE(texts.take("b2"));
}
