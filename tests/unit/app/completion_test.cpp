// SPDX-License-Identifier: Apache-2.0
// Tests of the completion scripts in the installed shells.
#include "catch2.hpp"
#include "command_line/program.hpp"
#include "commanded.hpp"

#include <array>
#include <cstdio>
#include <memory>

using namespace made_up;

namespace {

// Returns the output of the command, with "failed" appended when its exit status is not 0.
std::string output(const std::string &command) {
  std::unique_ptr<FILE, int (*)(FILE *)> pipe(popen((command + " 2>&1").c_str(), "r"), nullptr);
  if (!pipe) throw std::runtime_error("no shell");
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe.get()))
    text.append(buffer.data(), count);
  const int status = pclose(pipe.release());
  return status == 0 ? text : text + "failed";
}

bool installed(const std::string &shell) { return output("command -v " + shell) != "failed"; }

// Makes a description with the options and positionals that completion treats specially. The test
// "said" checks the descriptions of the built commands.
CommandDescription described(const std::string &name, std::vector<ArgumentDescription> options,
                             std::vector<ArgumentDescription> positionals = {},
                             ServerOptions server = ServerOptions::Taken) {
  CommandDescription command = separate(name, "any", server);
  command.inheritsOptions = server == ServerOptions::Taken;
  command.options.insert(command.options.end(), options.begin(), options.end());
  command.positionals = std::move(positionals);
  return command;
}

// A machine with commands of its own.
struct DescribedMachine : CommandedMachine {
  DescribedMachine() {
    const ArgumentDescription path{{"PATH"}, "PATH", "What to read.", "", false, true};
    describe("search", described("search", {jsonOption()}, {path}));
    describe("validate", described("validate",
                                   {{{"--strict"}, "", "Nothing is let pass."},
                                    {{"--fail-on"}, "error|warning|never", "What is a failure."}},
                                   {path}, ServerOptions::Refused));
    describe("client-config",
             described("client-config", {}, {{{"CLIENT"}, "codex|cursor|zed", "The client."}}));
    CommandDescription group = described("skill", {});
    group.program.clear();
    group.isGroup = true;
    describe("skill", group);
    for (const char *name : {"list", "info", "new"})
      describe(std::string("skill.") + name, described(name, {jsonOption()}));
  }
};

std::string completionOf(const std::string &shell) {
  const DescribedMachine machine;
  const Result<Invocation> printed = machine.run({"completion", shell});
  REQUIRE(printed);
  CHECK(printed->warnings.empty());
  return printed->text;
}

// Returns the words that bash offers for the last one of `words`.
std::string offered(const Machine &machine, const std::string &words) {
  const std::string script =
      machine.write("driver.bash", completionOf("bash") + "cd " + machine.folder +
                                       "\nCOMP_WORDS=(skillhost " + words +
                                       ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                                       "_skillhost\necho \"${COMPREPLY[*]}\"\n");
  return output("bash --norc " + script);
}

void checkSyntax(const std::string &shell, const std::string &text) {
  if (!installed(shell)) {
    WARN(shell + " is not installed");
    return;
  }
  const Machine machine;
  CHECK(output(shell + " -n " + machine.write("completion", text)).empty());
}

} // namespace

TEST_CASE("each script is valid in its shell") {
  for (const char *shell : {"bash", "zsh", "fish"}) checkSyntax(shell, completionOf(shell));
}

TEST_CASE("each script knows every command, option and choice") {
  const CommandDescription program = programDescription();
  for (const char *shell : {"bash", "zsh", "fish"}) {
    const std::string script = completionOf(shell);
    for (const char *command : {"serve", "completion", "search", "validate", "info"})
      CHECK(contains(script, command));
    for (const ArgumentDescription &option : program.options) {
      CHECK(contains(script, option.names.back().substr(2)));
      for (const std::string &choice : choicesOf(option.value)) CHECK(contains(script, choice));
    }
  }
}

TEST_CASE("bash offers what may stand there") {
  if (!installed("bash")) {
    WARN("bash is not installed");
    return;
  }
  const Machine machine;
  CHECK(offered(machine, "ser") == "serve\n");
  CHECK(offered(machine, "s") == "serve search skill\n");
  CHECK(offered(machine, "--expo") == "--expose\n");
  CHECK(offered(machine, "--expose ''") == "gateway skills both\n");
  CHECK(offered(machine, "--expose = ''") == "gateway skills both\n");
  CHECK(offered(machine, "--expose '='") == "gateway skills both\n");
  CHECK(offered(machine, "serve --log-level W") == "WARNING\n");
  CHECK(offered(machine, "skill ''") == "info list new\n");
  CHECK(offered(machine, "skill list --js") == "--json\n");
  CHECK(offered(machine, "skill list --skills-d") == "--skills-dir\n");
  CHECK(offered(machine, "validate --st") == "--strict\n");
  CHECK(offered(machine, "validate --fail-on w") == "warning\n");
  CHECK(offered(machine, "completion ''") == "bash zsh fish\n");
  CHECK(offered(machine, "client-config c") == "codex cursor\n");
  // The value of an option is not a command.
  CHECK(offered(machine, "--skills-dir skill se") == "serve search\n");
  CHECK(offered(machine, "--expose = skills se") == "serve search\n");
  machine.write("some folder/x", "");
  machine.write("some.yaml", "");
  CHECK(offered(machine, "--skills-dir som") == "some folder\n");
  CHECK(offered(machine, "--config some.") == "some.yaml\n");
  CHECK(offered(machine, "validate some.") == "some.yaml\n");
  CHECK(offered(machine, "search --evaluate some") == "some folder some.yaml\n");
}

TEST_CASE("fish offers what may stand there") {
  if (!installed("fish")) {
    WARN("fish is not installed");
    return;
  }
  const Machine machine;
  const std::string script = machine.write("c.fish", completionOf("fish"));
  const auto words = [&](const std::string &line) {
    return output("HOME=" + machine.folder + " fish -N -c 'source " + script + "; complete -C \"" +
                  line + "\" | string replace -r \"\\t.*\" \"\"'");
  };
  CHECK(words("skillhost se") == "search\nserve\n");
  CHECK(words("skillhost --expose ") == "both\ngateway\nskills\n");
  CHECK(words("skillhost skill ") == "info\nlist\nnew\n");
  CHECK(words("skillhost skill --json inf") == "info\n");
  CHECK(words("skillhost skill list --expose ") == "both\ngateway\nskills\n");
  CHECK(words("skillhost validate --st") == "--strict\n");
  CHECK(words("skillhost completion ") == "bash\nfish\nzsh\n");
}
