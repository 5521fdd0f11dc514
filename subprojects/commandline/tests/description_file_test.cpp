// SPDX-License-Identifier: Apache-2.0
#include "commandline/description_file.hpp"

#include "catch2.hpp"
#include "commandline/help.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace skillhost;
using namespace skillhost::app;

namespace {

class Folder {
public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "skillhost-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = name;
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  void write(const std::string &name, const std::string &text) const {
    std::ofstream(path + '/' + name, std::ios::binary) << text;
  }
  std::string path;
};

CommandDescription baking(const std::string &name, int position = 10) {
  CommandDescription bake{name, "Bake \"it\" \u2026 or say so.", true};
  bake.options = {helpOption(),
                  {{"-d", "--degrees"}, "N", "How hot.", "The oven"},
                  {{"--form"}, "loaf|roll", "Which form.", generalOptions, true},
                  {{"--with"}, "SEED", "What is strewn.", generalOptions, false, true}};
  bake.positionals = {{{"DOUGH"}, "PATH", "What is baked.", "", false, true}};
  bake.commands = {{"twice", "Bake it again.", false, {helpOption()}}};
  bake.program = "oven";
  bake.serverOptions = ServerOptions::Ignored;
  bake.position = position;
  return bake;
}

CommandDescription headed(const std::string &name) {
  CommandDescription group{name, "Look at bread.", true, {helpOption()}};
  group.isGroup = true;
  return group;
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

std::string problemOf(const std::string &text) {
  const Result<CommandDescription> read = readDescription(text);
  return read ? std::string{} : read.failure().message;
}

} // namespace

TEST_CASE("a description is the same after it was a file") {
  const CommandDescription bake = baking("bake");
  const std::string text = descriptionText(bake);
  const Result<CommandDescription> read = readDescription(text);
  REQUIRE(read);
  CHECK(descriptionText(*read) == text);
  CommandDescription baker{"baker", "Bake bread.", false, {}, {}, {bake}};
  CommandDescription again{"baker", "Bake bread.", false, {}, {}, {*read}};
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"bake"}, {"bake", "twice"}, {}})
    CHECK(helpText(baker, words) == helpText(again, words));
  CHECK(read->program == "oven");
  CHECK(read->serverOptions == ServerOptions::Ignored);
  CHECK(read->position == 10);
  CHECK(read->options[2].valueOptional);
  CHECK(read->options[3].repeats);
  CHECK(read->positionals[0].repeats);
  CHECK(read->inheritsOptions);
  // Another author's description needs no more than this.
  const Result<CommandDescription> least = readDescription(R"({"name": "x", "help": "Do x."})");
  REQUIRE(least);
  CHECK(least->program.empty());
  CHECK(least->serverOptions == ServerOptions::Refused);
  CHECK(least->position == CommandDescription::positionOfOthers);
}

TEST_CASE("what is wrong in a description is named, and what could speak to a shell is wrong") {
  CHECK(!problemOf("{").empty());
  CHECK(problemOf("[]") == "expected an object");
  CHECK(problemOf(R"({"help": "x"})") == "name: expected a name of a-z, 0-9 and single hyphens");
  CHECK(problemOf(R"({"name": "x"})") == "help: expected what the command does");
  CHECK(problemOf(R"({"name": "x", "help": "x", "optoins": []})") ==
        "unknown key \"optoins\" - did you mean \"options\"?");
  CHECK(problemOf(R"({"name": "x", "help": 1})") == "help: expected a text");
  CHECK(problemOf(R"({"name": "x", "help": "a\u001b[1mb"})") ==
        "help: expected one line without control characters");
  CHECK(problemOf(R"({"name": "x", "help": "x", "options": {}})") == "options: expected a list");
  CHECK(problemOf(R"({"name": "x", "help": "x", "options": [1]})") ==
        "options[0]: expected an object");
  const auto ofOption = [](const std::string &option) {
    return problemOf(R"({"name": "x", "help": "x", "options": [{)" + option + "}]}");
  };
  CHECK(ofOption(R"("names": ["--good", "-g"], "help": "It's $(good).")").empty());
  CHECK(ofOption("") == "options[0].names: expected at least one name");
  for (const char *name : {"", "-", "--", "x", "-ab", "--a", "--a b", "--a'b", "--a;b", "--$(x)"}) {
    INFO(name);
    CHECK(ofOption(R"("names": [")" + std::string(name) + R"("])") ==
          "options[0].names: expected names such as -f and --file");
  }
  for (const char *value : {"a b", "a'b", "$(x)", "a;b", "`x`", "a|b c"}) {
    INFO(value);
    CHECK(ofOption(R"("names": ["--xy"], "value": ")" + std::string(value) + '"') ==
          "options[0].value: expected one word such as FILE, or choices such as on|off");
  }
  CHECK(ofOption(R"("names": ["--xy"], "repeats": 1)") ==
        "options[0].repeats: expected true or false");
  CHECK(ofOption(R"("names": ["--xy"]}, {"names": ["-x", "--xy"])") ==
        "options[1]: --xy is there twice");
  const auto with = [](const std::string &rest) {
    return problemOf(R"({"name": "x", "help": "x", )" + rest + '}');
  };
  CHECK(with(R"("arguments": [{"names": ["file"]}])") ==
        "arguments[0].names: expected a name such as FILE");
  CHECK(with(R"("arguments": [{"names": ["A", "B"]}])") ==
        "arguments[0].names: an argument has one name");
  CHECK(with(R"("program": "../x")") == "program: expected a name of a-z, 0-9 and hyphens");
  CHECK(with(R"("position": -1)") == "position: expected a whole number from 0 to 10000");
  CHECK(with(R"("position": 1e300)") == "position: expected a whole number from 0 to 10000");
  CHECK(with(R"("server_options": "all")") == "server_options: expected refused, ignored or taken");
  CHECK(with(R"("commands": [{"name": "y", "help": "y", "program": "z"}])") ==
        "commands[0]: unknown key \"program\"");
  CHECK(with(R"("commands": [{"name": "y", "help": "y"}, {"name": "y", "help": "y"}])") ==
        "commands[1]: y is there twice");
}

TEST_CASE("others describe no command of the programs of skillhost") {
  const auto by = [](DescriptionBy who, const std::string &rest) {
    const auto read = readDescription(R"({"name": "x", "help": "x", )" + rest + '}', who);
    return read ? std::string{} : read.failure().message;
  };
  for (const char *rest : {R"("program": "token")", R"("group": true)", R"("group": false)",
                           R"("server_options": "refused")"}) {
    INFO(rest);
    CHECK(by(DescriptionBy::Us, rest).empty());
    CHECK(contains(by(DescriptionBy::Others, rest),
                   ": expected nothing: the key is for files of skillhost"));
  }
  for (const char *rest : {R"("position": 1)", R"("inherits_options": true)"})
    CHECK(by(DescriptionBy::Others, rest).empty());
  CHECK(by(DescriptionBy::Us, R"("group": true, "commands": [{"name": "y", "help": "y"}])") ==
        "group: expected no \"commands\": each command of a group has a file of its own");
}

TEST_CASE("words that may be commands, and names of their files") {
  for (const char *word : {"a", "client-config", "x2"}) CHECK(isCommandName(word));
  for (const char *word : {"", "-a", "a-", "a--b", "A", "a.b", "a/b", "..", "a b", "a_b"})
    CHECK_FALSE(isCommandName(word));
  CHECK(isCommandName(std::string(64, 'a')));
  CHECK_FALSE(isCommandName(std::string(65, 'a')));
  CHECK(commandWords("bake.json") == CommandWords{"bake"});
  CHECK(commandWords("bread.bake.json") == CommandWords{"bread", "bake"});
  for (const char *file : {"bake", ".json", "a..json", "a.b.c.json", "..json", "A.json"})
    CHECK(commandWords(file).empty());
}

TEST_CASE("commands are read from folders, the earlier one first, each by its place") {
  const Folder ours, others;
  ours.write("late.json", descriptionText(baking("late", 20)));
  ours.write("early.json", descriptionText(baking("early", 5)));
  ours.write("notes.txt", "no description");
  ours.write("bread.json", descriptionText(headed("bread")));
  ours.write("bread.cut.json", descriptionText(baking("cut", 2)));
  others.write("bread.bake.json", descriptionText(baking("bake", 1)));
  others.write("added.json", R"({"name": "added", "help": "From somebody else."})");
  others.write("late.json", R"({"name": "late", "help": "In vain."})");
  others.write("wrong.json", "{");
  others.write("other.json", R"({"name": "another", "help": "x"})");
  others.write("Upper.json", "{}");
  others.write("alone.part.json", descriptionText(baking("part")));
  others.write("early.part.json", descriptionText(baking("part")));
  others.write("serve.json", R"({"name": "serve", "help": "Mine."})");
  others.write("serve.more.json", R"({"name": "more", "help": "Mine."})");
  const std::vector<CommandFolder> folders{{ours.path, DescriptionBy::Us},
                                           {others.path, DescriptionBy::Us},
                                           {ours.path + "/gone", DescriptionBy::Others},
                                           {ours.path + "/late.json/gone", DescriptionBy::Others}};
  const std::vector<CommandDescription> own{{"serve", "Serve skills."}};
  const CommandFiles found = readCommandFiles(folders, own);
  std::vector<std::string> names;
  names.reserve(found.commands.size());
  for (const CommandDescription &command : found.commands) names.push_back(command.name);
  CHECK(names == std::vector<std::string>{"early", "late", "added", "alone", "bread"});
  REQUIRE(found.commands.size() == 5);
  CHECK(found.commands[1].program == "oven");
  REQUIRE(found.commands[4].commands.size() == 2);
  CHECK(found.commands[4].commands[0].name == "bake");
  CHECK(found.commands[3].commands.at(0).name == "part");
  CHECK(found.commands[3].help == "Commands below alone.");
  CHECK_FALSE(found.commands[3].inheritsOptions);
  REQUIRE(found.problems.size() == 7);
  for (const char *file :
       {"/Upper.json: no command",
        "/late.json: is left out: ", "/early.part.json: is left out: early is a command",
        "/other.json: name: expected \"other\"",
        "/wrong.json: ", "/serve.json: is left out: skillhost itself carries out the command serve",
        "/serve.more.json: is left out: "}) {
    INFO(file);
    CHECK(std::any_of(found.problems.begin(), found.problems.end(), [&](const auto &problem) {
      return problem.starts_with(others.path + file);
    }));
  }

  const auto one = readCommandFile(folders, {"late"});
  REQUIRE((one && *one));
  CHECK((*one)->program == "oven");
  REQUIRE(readCommandFile(folders, {"bread", "bake"}));
  CHECK(*readCommandFile(folders, {"bread", "bake"}));
  REQUIRE(readCommandFile(folders, {"missing"}));
  CHECK_FALSE(*readCommandFile(folders, {"missing"}));
  REQUIRE(readCommandFile(folders, {"../late"}));
  CHECK_FALSE(*readCommandFile(folders, {"../late"}));
  REQUIRE_FALSE(readCommandFile(folders, {"wrong"}));
  CHECK(readCommandFile(folders, {"wrong"})
            .failure()
            .message.starts_with(others.path + "/wrong.json: "));
}
