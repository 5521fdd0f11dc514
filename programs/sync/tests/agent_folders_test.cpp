// SPDX-License-Identifier: Apache-2.0
// Tests where the folders of agents are, and where links may lead.
#include "agent_folders.hpp"
#include "catch2.hpp"
#include "commandline/description.hpp"
#include "made_source.hpp"

using namespace skillhost::sync;
namespace fs = std::filesystem;

namespace {

skillhost::settings::Environment environmentOf(const MadeFolder &home) {
  skillhost::settings::Environment environment;
  environment.variables["HOME"] = home.path;
  environment.workingDirectory = home.path + "/project";
  fs::create_directory(environment.workingDirectory);
  return environment;
}

std::vector<std::string> allAgents() { return skillhost::app::choicesOf(agentChoices); }

} // namespace

TEST_CASE("each agent has its folders") {
  const MadeFolder home;
  auto environment = environmentOf(home);
  REQUIRE(agentFolders().size() == allAgents().size());
  const auto users = targetFolders(allAgents(), false, environment);
  REQUIRE(users);
  std::vector<std::string> paths;
  for (const TargetFolder &one : *users) {
    CHECK(one.agents.size() == 1);
    CHECK(one.shown.empty());
    paths.push_back(one.path.substr(home.path.size()));
  }
  CHECK(paths == std::vector<std::string>{"/.claude/skills", "/.codex/skills", "/.cursor/skills",
                                          "/.copilot/skills", "/.gemini/skills",
                                          "/.config/opencode/skills", "/.config/goose/skills",
                                          "/.agents/skills"});
  environment.variables["XDG_CONFIG_HOME"] = home.path + "/xdg";
  environment.variables["CODEX_HOME"] = home.path + "/codex";
  environment.variables["CLAUDE_CONFIG_DIR"] = home.path + "/claude";
  CHECK(targetFolders({"opencode"}, false, environment)->front().path ==
        home.path + "/xdg/opencode/skills");
  CHECK(targetFolders({"codex"}, false, environment)->front().path == home.path + "/codex/skills");
  CHECK(targetFolders({"claude-code"}, false, environment)->front().path ==
        home.path + "/claude/skills");
  // Nothing is created.
  CHECK(home.names() == std::vector<std::string>{"project"});
}

TEST_CASE("agents that read one folder are served once") {
  const MadeFolder home;
  const auto environment = environmentOf(home);
  const auto targets = targetFolders({"codex", "agents", "codex", "goose"}, true, environment);
  REQUIRE(targets);
  REQUIRE(targets->size() == 2);
  CHECK(targets->front().agents == std::vector<std::string>{"codex", "agents"});
  CHECK(targets->front().path == home.path + "/project/.agents/skills");
  CHECK(targets->back().path == home.path + "/project/.goose/skills");
}

TEST_CASE("a user's folder may be a link, and is named") {
  const MadeFolder home, elsewhere;
  const auto environment = environmentOf(home);
  fs::create_directory(home.path + "/.claude");
  fs::create_directory_symlink(elsewhere.path, home.path + "/.claude/skills");
  const auto targets = targetFolders({"claude-code"}, false, environment);
  REQUIRE(targets);
  CHECK(targets->front().path == elsewhere.path);
  CHECK(targets->front().shown == home.path + "/.claude/skills");
}

TEST_CASE("a project's link must not lead out of the project") {
  const MadeFolder home, elsewhere;
  const auto environment = environmentOf(home);
  const std::string &project = environment.workingDirectory;
  const bool isFolderAbove = GENERATE(false, true);
  CAPTURE(isFolderAbove);
  if (isFolderAbove) {
    fs::create_directory_symlink(elsewhere.path, project + "/.claude");
  } else {
    fs::create_directory(project + "/.claude");
    fs::create_directory_symlink(elsewhere.path, project + "/.claude/skills");
  }
  const auto targets = targetFolders({"claude-code"}, true, environment);
  REQUIRE(!targets);
  CHECK(targets.failure().message.find("leads out of this project") != std::string::npos);
  // A link that stays inside of the project is followed.
  fs::create_directories(project + "/.agents/skills");
  fs::create_directory_symlink(".agents", project + "/.goose");
  const auto inside = targetFolders({"goose", "agents"}, true, environment);
  REQUIRE(inside);
  REQUIRE(inside->size() == 1);
  CHECK(inside->front().agents == std::vector<std::string>{"goose", "agents"});
}

TEST_CASE("a place that cannot be a folder is refused with the reason") {
  const MadeFolder home;
  auto environment = environmentOf(home);
  home.write(".claude/skills", "a file");
  fs::create_directory_symlink(home.path + "/nowhere", home.path + "/.codex");
  CHECK(targetFolders({"claude-code"}, false, environment).failure().message ==
        home.path + "/.claude/skills: is no folder");
  CHECK(targetFolders({"codex"}, false, environment).failure().message ==
        home.path + "/.codex: is a link that leads nowhere");
  environment.variables.erase("HOME");
  CHECK(targetFolders({"cursor"}, false, environment).failure().message.find("HOME is not set") ==
        0);
  CHECK(!targetFolders({"nobody"}, false, environment));
}
