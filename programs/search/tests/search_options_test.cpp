// SPDX-License-Identifier: Apache-2.0
#include "asked.hpp"
#include "catch2.hpp"
#include "search_options.hpp"

using namespace made_up;

namespace {

struct SearchingMachine : AskedMachine {
  SearchInvocation search;
  KnownConfiguration configuration;
  // Returns the failure's message; empty: none.
  std::string take(const std::vector<std::string> &arguments) {
    const ParsedArguments words = given(arguments);
    Result<SearchInvocation> asked = searchInvocation(words, surroundings);
    if (!asked) return asked.failure().message;
    search = *std::move(asked);
    Result<KnownConfiguration> read = knownConfiguration(words, surroundings);
    if (!read) return read.failure().message;
    configuration = *std::move(read);
    const Status taken = takeEvaluation(words, surroundings, configuration, search);
    return taken ? std::string() : taken.failure().message;
  }
};

} // namespace

TEST_CASE("a question is several words, or a file of questions") {
  SearchingMachine machine;
  CHECK(machine.take({"search", "merge", "PDF", "plugins", "--top-k", "9"}).empty());
  CHECK(machine.search.query == "merge PDF plugins");
  CHECK(machine.configuration.configuration.defaultTopK == 9);
  CHECK(machine.take({"search", "why", "this", "--explain"}).empty());
  CHECK((machine.search.explain && machine.search.query == "why this"));
  CHECK(machine.search.questions.empty());
  CHECK(contains(machine.take({"search"}), "say what to search for"));
  CHECK(contains(machine.take({"search", "--evaluate"}), "name the file of questions"));
  CHECK(contains(machine.take({"search", "x", "--against", "y"}), "--evaluate"));
  CHECK(contains(machine.take({"search", "--evaluate", "--explain", "x"}), "one question"));
  CHECK(contains(machine.take({"search", "--evaluate", "q", "--against", "no.yaml"}),
                 "no.yaml: No such file"));
}

TEST_CASE("an evaluation has its own folders, and compares how is searched alone") {
  SearchingMachine machine;
  const std::string own =
      machine.write("own.yaml", "sources: [{name: team, config: {directories: [/t]}}]\n"
                                "search: {config: {k1: 1}}\nusual_folders: true\n");
  machine.write("other.yaml", "skills_dirs: [/o]\nsearch: {plugin: hybrid}\n");
  const SearchInvocation &search = machine.search;
  const Configuration &configuration = machine.configuration.configuration;
  CHECK(
      machine.take({"search", "--evaluate", "q.jsonl", "--config", own, "--against", "other.yaml"})
          .empty());
  CHECK(search.questions == machine.folder + "/q.jsonl");
  CHECK(search.query.empty());
  CHECK(configuration.sources.at(0).name == "team");
  REQUIRE(search.other);
  CHECK(search.other->search.plugin == "hybrid");
  CHECK(search.other->sources.size() == configuration.sources.size());
  CHECK(configuration.search.config["k1"] == 1);

  CHECK(machine.take({"search", "--evaluate", "a", "b", "a", "q.jsonl", "--config", own}).empty());
  CHECK(!search.other);
  REQUIRE(configuration.sources.size() == 2);
  CHECK(configuration.sources[0].config["directories"][0] == machine.folder + "/a");
  CHECK(configuration.sources[1].config["directories"][0] == machine.folder + "/b");
  CHECK(configuration.search.config["k1"] == 1);
}
