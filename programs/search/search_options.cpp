// SPDX-License-Identifier: Apache-2.0
#include "search_options.hpp"

#include "settings/paths.hpp"

#include <set>
#include <utility>

namespace skillhost::app {
namespace {

// Returns all words except the last, which are the folders of --evaluate.
std::vector<std::string> foldersOf(const ParsedArguments &given) {
  std::vector<std::string> folders;
  std::set<std::string> known;
  const std::vector<std::string> &words = given.values.at("QUERY");
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (known.insert(words[i]).second) folders.push_back(words[i]);
  return folders;
}

} // namespace

CommandDescription searchDescription() {
  const ArgumentDescription help = helpOption();
  const ArgumentDescription json = jsonOption();
  CommandDescription command{
      "search",
      "Find skills for a task, best first; --top-k says how many.",
      true,
      {help,
       json,
       {{"--explain"}, "", "Print for each skill why it is found.", generalOptions},
       {{"--evaluate"},
        "",
        "Print how well skills are found. The last argument is a file of questions; those before "
        "it are folders of skills (default: the sources of the configuration). Each line of the "
        "file is {\"text\": \"…\", \"skills\": [\"name\"]}; with [] no skill is to be found.",
        generalOptions},
       {{"--against"},
        "FILE",
        "With --evaluate: compare with the search settings of the configuration FILE, on the same "
        "skills.",
        generalOptions}},
      {{{"QUERY"},
        "PATH",
        "The task; several words are one query. With --evaluate: [DIR...] FILE.",
        "",
        false,
        true}}};
  command.position = 300;
  return command;
}

Result<SearchInvocation> searchInvocation(const ParsedArguments &given,
                                          const Surroundings &surroundings) {
  SearchInvocation search;
  search.explain = given.has("--explain");
  const bool evaluates = given.has("--evaluate");
  if (given.has("--against") && !evaluates)
    return refusedArguments(given.commands, "--against compares what --evaluate measures: write "
                                            "search --evaluate questions.jsonl --against FILE");
  if (evaluates && search.explain)
    return refusedArguments(given.commands,
                            "--explain is about one question: leave it or --evaluate out");
  if (!given.has("QUERY"))
    return refusedArguments(
        given.commands,
        evaluates ? "name the file of questions, such as search --evaluate questions.jsonl"
                  : "say what to search for, such as skillhost search \"merge PDF files\"");
  const std::vector<std::string> &words = given.values.at("QUERY");
  if (evaluates) {
    search.questions = absolutePath(words.back(), surroundings.workingDirectory, surroundings);
    if (given.has("--against"))
      search.otherFile =
          absolutePath(given.last("--against"), surroundings.workingDirectory, surroundings);
    return search;
  }
  for (const std::string &word : words) search.query += (search.query.empty() ? "" : " ") + word;
  return search;
}

Status takeEvaluation(const ParsedArguments &given, const Surroundings &surroundings,
                      LoadedConfiguration &read, SearchInvocation &search) {
  if (search.questions.empty()) return Done{};
  if (std::vector<std::string> folders = foldersOf(given); !folders.empty()) {
    CommandLineSettings alone;
    alone.noFile = true;
    alone.hidden = given.has("--hidden");
    const std::size_t count = folders.size();
    alone.options.push_back({"--evaluate", "skills_dirs", std::move(folders)});
    Result<LoadedConfiguration> others = readConfiguration(alone, surroundings);
    if (!others) return std::move(others).failure();
    // These sources come before those of the environment.
    std::vector<SourceConfiguration> &sources = others->configuration.sources;
    sources.resize(std::min(sources.size(), count));
    read.configuration.sources = std::move(sources);
    read.configuration.places.merge(others->configuration.places);
  }
  if (search.otherFile.empty()) return Done{};
  CommandLineSettings other;
  other.file = search.otherFile;
  Result<LoadedConfiguration> compared = readConfiguration(other, surroundings);
  if (!compared) return std::move(compared).failure();
  search.other = read.configuration;
  search.other->search = std::move(compared->configuration.search);
  for (const auto &[key, place] : compared->configuration.places)
    if (key.starts_with("search")) search.other->places[key] = place;
  search.other->secrets.insert(search.other->secrets.end(), compared->configuration.secrets.begin(),
                               compared->configuration.secrets.end());
  return Done{};
}

} // namespace skillhost::app
