// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "commanded.hpp"
#include "settings/paths.hpp"

#include <nlohmann/json.hpp>

using namespace made_up;

namespace {

std::vector<std::string> namesOf(const std::vector<SourceConfiguration> &sources) {
  std::vector<std::string> names;
  for (const SourceConfiguration &one : sources) names.push_back(one.name);
  return names;
}

using SourceNames = std::vector<std::string>;

} // namespace

TEST_CASE("who says nothing gets the usual folders that are there, and is told which") {
  const CommandedMachine machine;
  auto run = machine.run({"serve"});
  REQUIRE(run);
  CHECK(run->configuration.sources.empty());
  REQUIRE(run->warnings.size() == 1);
  CHECK(contains(run->warnings[0], "none of the usual folders is there (~/.claude/skills, "));

  // A user who has other sources gets no warning.
  machine.write("own.yaml", "usual_folders: true\nskills_dirs: [given]\n");
  machine.write("given/x", "");
  run = machine.run({"serve", "--config", "own.yaml"});
  REQUIRE(run);
  CHECK(run->warnings.empty());
  CHECK(contains(run->notices.at(0), "none of the usual folders is there"));

  machine.write("home/.claude/skills/x", "");
  machine.write("skills/x", "");
  run = machine.run({"serve"});
  REQUIRE(run);
  CHECK(namesOf(run->configuration.sources) == SourceNames{"claude", "project"});
  CHECK(run->configuration.sources[1].config["directories"] == Json({machine.folder + "/skills"}));
  CHECK(run->configuration.sources[1].config["optional"] == true);
  CHECK(run->notices[0] == "serving the usual folders that are there: " + machine.folder +
                               "/home/.claude/skills as claude, " + machine.folder +
                               "/skills as project");

  // A link to a folder that is already listed is the same folder.
  std::filesystem::create_directory(machine.folder + "/home/.agents");
  std::filesystem::create_directory_symlink(machine.folder + "/skills",
                                            machine.folder + "/home/.agents/skills");
  CHECK(namesOf(machine.run({})->configuration.sources) == SourceNames{"claude", "agents"});
}

TEST_CASE("a project's folder that is a link to elsewhere is not served by habit") {
  const CommandedMachine machine;
  machine.write("project/readme", "");
  machine.write("private/x/SKILL.md", "");
  std::filesystem::create_directory_symlink("../private", machine.folder + "/project/skills");
  CHECK(skillhost::settings::leadsOutOf(machine.folder + "/project/skills",
                                        machine.folder + "/project"));
  CHECK_FALSE(skillhost::settings::leadsOutOf(machine.folder + "/project/.mcp.json",
                                              machine.folder + "/project"));
  CHECK_FALSE(
      skillhost::settings::leadsOutOf(machine.folder + "/project", machine.folder + "/project"));
  std::filesystem::create_directory_symlink("nowhere", machine.folder + "/project/dangling");
  CHECK(skillhost::settings::leadsOutOf(machine.folder + "/project/dangling",
                                        machine.folder + "/project"));
  std::filesystem::create_directory_symlink("/", machine.folder + "/skills");
  const auto run = machine.run({"serve"});
  REQUIRE(run);
  CHECK(run->configuration.sources.empty());
  REQUIRE(run->warnings.size() == 1);
  CHECK(contains(run->warnings[0], "is a link out of this folder"));
}

TEST_CASE("a folder whose path is not UTF-8 is told, and never ends the program") {
  CommandedMachine machine;
  const std::string rename = ": is not UTF-8: rename the folder, or link to it from a path that is";
  machine.write("proj\xff/skills/x", "");
  machine.write("home/.claude/skills/x", "");
  const std::string odd = machine.folder + "/proj\xff";
  machine.surroundings.workingDirectory = odd;
  auto run = machine.run({"serve"});
  REQUIRE(run);
  CHECK(namesOf(run->configuration.sources) == SourceNames{"claude"});
  CHECK(run->warnings == std::vector<std::string>{"the usual folder " + odd + "/skills" + rename +
                                                  "; it is not served"});
  machine.surroundings.variables["HOME"] = odd;
  run = machine.run({"serve"});
  REQUIRE(run);
  CHECK(run->configuration.sources.empty());
  CHECK(machine.run({"--print-config"}));

  run = machine.run({"--skills-dir", "skills"});
  REQUIRE_FALSE(run);
  CHECK(run.failure().message == "--skills-dir: " + odd + "/skills" + rename);
  machine.write("proj\xff/c.yaml", "sources: [{name: a, config: {directories: [./skills]}}]\n");
  run = machine.run({"--config", "c.yaml"});
  REQUIRE_FALSE(run);
  CHECK(contains(run.failure().message, odd + "/skills" + rename));
  machine.surroundings.variables["ODD"] = "\xff";
  run = machine.run({"--set", "sources=[{name: a, config: {x: \"${env:ODD}\"}}]"});
  REQUIRE_FALSE(run);
  CHECK(contains(run.failure().message, "what env:ODD names is not UTF-8"));
  // A path in UTF-8 may lead there.
  std::filesystem::create_directory_symlink(odd + "/skills", machine.folder + "/link");
  run = machine.run({"--skills-dir", machine.folder + "/link"});
  REQUIRE(run);
  CHECK(run->configuration.sources.size() == 1);
}

TEST_CASE("a usual folder that a source names already is not served twice") {
  const CommandedMachine machine;
  machine.write("skills/x", "");
  machine.write("home/.claude/skills/x", "");
  std::filesystem::create_directory_symlink(machine.folder + "/skills", machine.folder + "/link");
  machine.write("c.yaml", "usual_folders: true\nsources:\n"
                          "  - {name: mine, config: {directories: [./link]}}\n");
  auto run = machine.run({"--config", "c.yaml"});
  REQUIRE(run);
  CHECK(namesOf(run->configuration.sources) == SourceNames{"mine", "claude"});

  // The printed configuration serves the same when it is read again.
  machine.write("printed.yaml", machine.run({"--config", "c.yaml", "--print-config"})->text);
  run = machine.run({"--config", "printed.yaml"});
  REQUIRE(run);
  CHECK(namesOf(run->configuration.sources) == SourceNames{"mine", "claude"});
  CHECK(run->notices.empty());
  CHECK(run->warnings.empty()); // the folders exist
}

TEST_CASE("who says where skills come from gets nothing else, unless he asks for it") {
  const CommandedMachine machine;
  machine.write("home/.claude/skills/x", "");
  const auto sourcesOf = [&](const std::vector<std::string> &arguments) {
    const auto run = machine.run(arguments);
    REQUIRE(run);
    return namesOf(run->configuration.sources);
  };
  CHECK(sourcesOf({"--skills-dir", "mine"}) == SourceNames{"mine"});
  CHECK(sourcesOf({"--set", "sources=[]"}).empty());
  CHECK(sourcesOf({"--transport", "http"}).empty());
  CHECK(sourcesOf({"--set", "usual_folders=false"}).empty());
  CHECK(sourcesOf({"--skills-dir", "mine", "--set", "usual_folders=true"}) ==
        SourceNames{"mine", "claude"});
  machine.write("c.yaml", "expose: both\n");
  CHECK(sourcesOf({"--config", "c.yaml"}).empty());
  // The server reads the user's own file without an option; the file enables the usual folders.
  machine.write("home/.config/skillhost/skillhost.yaml",
                "usual_folders: true\nsources:\n  - {name: claude, config: {directories: [/x]}}\n");
  CHECK(sourcesOf({}) == SourceNames{"claude", "claude-2"});
}
