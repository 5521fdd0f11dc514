// SPDX-License-Identifier: Apache-2.0
// A made-up program. The host's tests cover skillhost's own command line.
#include "catch2.hpp"
#include "commandline/completion.hpp"
#include "commandline/help.hpp"
#include "commandline/parser.hpp"
#include "commandline/suggest.hpp"

#include <array>
#include <string>
#include <vector>

using namespace skillhost;
using namespace skillhost::app;

namespace {

CommandDescription baker() {
  CommandDescription bake{"bake", "Bake what is named.", false};
  bake.options = {{{"--degrees"}, "N", "How hot."},
                  {{"--form"}, "loaf|roll", "Which form."},
                  {{"--with"}, "SEED", "What is strewn.", "", false, true}};
  bake.positionals = {{{"DOUGH"}, "DOUGH", "What is baked."}};
  CommandDescription program{"baker", "Bake bread.", false};
  program.options = {helpOption()};
  program.commands = {bake};
  return program;
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

Result<ParsedArguments> parsed(const std::vector<std::string> &arguments) {
  return parseArguments(baker(), arguments);
}

} // namespace

TEST_CASE("options, repeated options and positionals are told by their names") {
  const auto given = parsed(
      {"bake", "--degrees", "200", "--degrees=220", "--with", "poppy", "--with", "sesame", "rye"});
  REQUIRE(given);
  CHECK(given->commands == std::vector<std::string>{"bake"});
  CHECK(given->last("--degrees") == "220");
  CHECK(given->values.at("--with") == std::vector<std::string>{"poppy", "sesame"});
  CHECK(given->last("DOUGH") == "rye");
  CHECK_FALSE(given->has("--form"));
  CHECK(given->last("--form").empty());
}

TEST_CASE("what is wrong is named, with what was near") {
  const auto unknown = parsed({"bake", "--degreees", "200", "rye"});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.failure().message.find("--degreees") != std::string::npos);
  CHECK(unknown.failure().message.find("did you mean \"--degrees\"?") != std::string::npos);
  const auto choice = parsed({"bake", "--form", "rol", "rye"});
  REQUIRE_FALSE(choice);
  CHECK(choice.failure().message.find("--form") != std::string::npos);
  CHECK_FALSE(parsed({"bake", "--degrees"}));
  CHECK_FALSE(parsed({"brew"}));
}

TEST_CASE("an empty path is refused, because it would mean the working directory") {
  CommandDescription program = baker();
  program.options.push_back({{"-c", "--recipe"}, "FILE", "What to follow."});
  program.commands[0].options.push_back({{"--onto"}, "DIR", "Where to put it.", "", false, true});
  program.commands[0].positionals = {{{"PLACE"}, "PATH", "What is baked.", "", false, true}};
  const auto refused = [&](const std::vector<std::string> &arguments) -> std::string {
    const auto given = parseArguments(program, arguments);
    return given ? "" : given.failure().message;
  };
  CHECK(has(refused({"bake", "--onto", "a", "--onto", ""}), "--onto: \"\" must not be empty"));
  CHECK_FALSE(refused({"bake", "--onto="}).empty());
  CHECK(has(refused({"-c", "", "bake"}), "--recipe: \"\" must not be empty"));
  CHECK(has(refused({"bake", "a", ""}), "PLACE: \"\" must not be empty"));
  CHECK(refused({"bake", "--form", "loaf", "--onto", "a", "b"}).empty());
  program.commands[0].options.back().mayBeEmpty = true;
  CHECK(refused({"bake", "--onto", ""}).empty());
}

TEST_CASE("a whole number is from 1 to the most that the caller allows") {
  std::uint64_t degrees = 180;
  REQUIRE(readWholeNumber(*parsed({"bake", "rye"}), "--degrees", "degrees", 300, degrees));
  CHECK(degrees == 180);
  REQUIRE(readWholeNumber(*parsed({"bake", "--degrees", "300", "rye"}), "--degrees", "degrees", 300,
                          degrees));
  CHECK(degrees == 300);
  for (const char *wrong : {"0", "301", "-1", "hot", "1.5", "99999999999999999999"}) {
    INFO(wrong);
    const Status read = readWholeNumber(*parsed({"bake", std::string("--degrees=") + wrong, "rye"}),
                                        "--degrees", "degrees", 300, degrees);
    REQUIRE_FALSE(read);
    CHECK(read.failure().message.find("degrees") != std::string::npos);
  }
  CHECK(degrees == 300);
}

TEST_CASE("only what is near is suggested") {
  const std::array<std::string, 2> candidates{"expose", "search"};
  CHECK(nearest("expsoe", candidates) == "expose");
  CHECK(nearest("transport", candidates).empty());
  CHECK(didYouMean("serach", candidates).find("\"search\"") != std::string::npos);
  CHECK(didYouMean("transport", candidates).empty());
}

TEST_CASE("help and completion tell of every command and option") {
  const std::string help = helpText(baker(), {"bake"});
  for (const char *one : {"--degrees", "--form", "--with", "DOUGH", "Bake what is named."})
    CHECK(help.find(one) != std::string::npos);
  for (const std::string &script :
       {bashCompletion(baker()), zshCompletion(baker()), fishCompletion(baker())}) {
    for (const char *one : {"bake", "degrees", "loaf"})
      CHECK(script.find(one) != std::string::npos);
    CHECK(script.ends_with("\n"));
  }
}

TEST_CASE("completion keeps options of commands apart, whatever their names are") {
  CommandDescription program = baker();
  program.options.push_back({{"--oven"}, "gas|wood", "Which oven."});
  CommandDescription bread{"bread", "Look at bread.", true};
  bread.commands = {{"bake", "Say how it is baked.", true, {{{"--form"}, "", "Say the form."}}}};
  program.commands.push_back(bread);
  program.commands.push_back({"brew", "Brew.", true, {{{"--oven"}, "", "Use one."}}});
  for (const std::string &script : {bashCompletion(program), zshCompletion(program)}) {
    CHECK(has(script, "    ' --oven') value='gas wood'; return ;;\n"));
    CHECK(has(script, "    ' bake --form') value='loaf roll'; return ;;\n"));
    CHECK_FALSE(has(script, "' bread bake --form'"));
    // Without this line the option would get the value of the one that it hides.
    CHECK(has(script, "    ' brew --oven') return ;;\n"));
    CHECK(has(script, "    ' bread'|' bread bake'|' brew') chain=${chain% *} ;;\n"));
  }
  const std::string fish = fishCompletion(program);
  CHECK(has(fish, "            case /bake /bread /bread/bake /brew\n"));
  CHECK(has(fish, "-n '__skillhost_at /bake' -l form -x -a 'loaf roll'"));
  CHECK(has(fish, "-n '__skillhost_at /bread/bake' -l form -d 'Say the form'"));
  CHECK(has(fish, "-n '__skillhost_at / /bread /bread/bake /brew' -l oven -x"));
}
