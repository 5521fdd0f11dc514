// SPDX-License-Identifier: Apache-2.0
// Tests the manifest: what is written is read again, and nothing else is believed.
#include "catch2.hpp"
#include "made_source.hpp"

using namespace skillhost::sync;

namespace {

const std::string digest(64, 'a');

std::string manifestWith(const std::string &skills, const std::string &format = "1") {
  return R"({"format": )" + format + R"(, "skills": {)" + skills + "}}";
}
std::string entryOf(const std::string &name, const std::string &file) {
  return '"' + name + R"(": {"origin": "x", "files": {")" + file + R"(": {"sha256": ")" + digest +
         R"("}}})";
}

} // namespace

TEST_CASE("a manifest is read as it was written") {
  const MadeFolder folder;
  SyncManifest manifest;
  manifest.keepsExecutables = false;
  manifest.skills["pdf"] = {"https://skills.example/mcp",
                            {{"SKILL.md", {digest, false, 3}}},
                            {},
                            "skill://team/pdf/SKILL.md"};
  manifest.skills["csv"] = {
      "skills.yaml", {}, FileStates{{"SKILL.md", {digest, {}, 3}}, {"run", {digest, true, 1}}}};
  REQUIRE(manifest.write(folder.path));
  const auto read = SyncManifest::read(folder.path);
  REQUIRE(read);
  CHECK(read->text() == manifest.text());
  CHECK(!read->keepsExecutables);
  CHECK(read->skills.at("csv").next->at("run").executable == true);
  CHECK(!read->skills.at("csv").next->at("SKILL.md").executable);
  CHECK(!read->skills.at("pdf").next);
  CHECK(read->skills.at("pdf").uri == "skill://team/pdf/SKILL.md");
  CHECK(read->skills.at("csv").uri.empty());
  REQUIRE(SyncManifest{}.write(folder.path));
  CHECK(!folder.has(std::string(manifestName)));
  REQUIRE(SyncManifest{}.write(folder.path));
  CHECK(SyncManifest::read(folder.path)->skills.empty());
}

TEST_CASE("a damaged manifest, or one of a newer program, stops everything in the folder") {
  struct Case {
    std::string text, why;
  };
  const auto wrong = GENERATE(values<Case>({
      {"", "not JSON"},
      {"{\"format\": 1, \"skills\"", "not JSON"},
      {"[]", "no number \"format\""},
      {R"({"format": "1", "skills": {}})", "no number \"format\""},
      {R"({"format": 1})", "no object \"skills\""},
      {manifestWith("", "2"), "a newer skillhost has written it (format 2): update skillhost"},
      {manifestWith(entryOf("../x", "SKILL.md")), "\"../x\" is no name of a skill"},
      {manifestWith(entryOf("PDF", "SKILL.md")), "\"PDF\" is no name of a skill"},
      {manifestWith(entryOf("pdf", "../SKILL.md")), "its entry of the skill pdf is damaged"},
      {manifestWith(entryOf("pdf", "/etc/passwd")), "its entry of the skill pdf is damaged"},
      {manifestWith(R"("pdf": {"files": {}})"), "its entry of the skill pdf is damaged"},
      {manifestWith(R"("pdf": {"origin": "x", "files": {"a": {"sha256": "b"}}})"),
       "its entry of the skill pdf is damaged"},
      {manifestWith(R"("pdf": {"origin": "x", "files": {}, "next": 1})"),
       "its entry of the skill pdf is damaged"},
      {manifestWith(R"("pdf": {"origin": "x", "files": {}, "uri": 1})"),
       "its entry of the skill pdf is damaged"},
      {manifestWith(entryOf("pdf", "a") + ',' + entryOf("pdf", "b")), "duplicate key \"pdf\""},
  }));
  CAPTURE(wrong.text);
  const MadeFolder folder;
  folder.write(std::string(manifestName), wrong.text);
  const auto read = SyncManifest::read(folder.path);
  REQUIRE(!read);
  CHECK(read.failure().message.find(folder.path) == 0);
  CHECK(read.failure().message.find(wrong.why) != std::string::npos);
  MadeSource source;
  source.skills["csv"] = {{"SKILL.md", skillText("csv")}};
  CHECK_THROWS(syncFolder(folder.path, source, source.offer(), Effect::Apply));
  CHECK_THROWS(clearFolder(folder.path, Effect::Apply));
  CHECK(folder.names().empty());
  CHECK(folder.read(std::string(manifestName)) == wrong.text);
}

TEST_CASE("a manifest that is a folder or a pipe is no manifest") {
  const MadeFolder folder;
  std::filesystem::create_directory(folder.path + '/' + std::string(manifestName));
  CHECK(!SyncManifest::read(folder.path));
}
