// SPDX-License-Identifier: Apache-2.0
#include "evaluate.hpp"

#include "failed_sources.hpp"
#include "ground/await.hpp"
#include "ground/counted.hpp"
#include "ground/shown.hpp"
#include "host.hpp"
#include "report.hpp"
#include "settled_search.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

namespace skillhost::app {
namespace {

using evaluation::Question;

// Counts skills with the same name as one answer, whichever of them is found.
class Answers {
public:
  explicit Answers(std::shared_ptr<const Catalogue> catalogue) : catalogue_(std::move(catalogue)) {
    for (const CatalogueEntry &entry : catalogue_->entries()) names_.insert(nameOf(entry));
  }

  // Returns the names of the hits, best first, each once.
  std::vector<std::string> of(const std::vector<SearchHit> &hits) const {
    std::vector<std::string> names;
    for (const SearchHit &hit : hits) {
      const CatalogueEntry *const entry = catalogue_->byId(hit.id);
      if (entry == nullptr) continue;
      const std::string &name = nameOf(*entry);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
  }
  // Returns the name that a question means; nothing if no skill has it.
  std::optional<std::string> meant(const std::string &name) const {
    if (names_.contains(name)) return name;
    const CatalogueEntry *const entry = catalogue_->byName(name);
    return entry == nullptr ? std::nullopt : std::optional(nameOf(*entry));
  }

private:
  static const std::string &nameOf(const CatalogueEntry &entry) {
    return entry.skill->fields.name.empty() ? entry.name : entry.skill->fields.name;
  }
  std::shared_ptr<const Catalogue> catalogue_;
  std::set<std::string> names_;
};

Result<std::vector<SearchHit>> ask(Index &index, const Question &question,
                                   std::chrono::milliseconds timeout) {
  return awaitAnswer<Result<std::vector<SearchHit>>>(
      [&](ResultCallback<std::vector<SearchHit>> answer) {
        index.query({Deadline::after(timeout), {}, nullptr}, question.text, {}, evaluation::depth,
                    std::move(answer));
      });
}

// Returns the name of the search plugin, also if `auto` has chosen it.
std::string searchPlugin(Host &host, const Configuration &configuration) {
  if (configuration.search.plugin == "auto")
    for (const PluginDescription &one : host.plugins().describe(false))
      if (one.instance == "search") return one.id.substr(one.id.rfind('.') + 1);
  return configuration.search.plugin;
}

Result<Evaluation> evaluateWith(const Configuration &configuration, const std::string &executable,
                                const std::string &file, const std::vector<Question> &questions) {
  Host host(configuration, executable, builtForHosts());
  host.waitUntilReady(true);
  if (host.index() == nullptr)
    return {Fault::Unavailable, "there is no search backend (search.plugin is none)"};
  const auto catalogue = host.library().catalogue();
  if (reportAllFailed(*catalogue)) return {Fault::Unavailable, "there is no skill to be found"};
  if (catalogue->entries().empty())
    return {Fault::NotFound, "there is no skill to be found: name a folder of skills before the "
                             "file of questions, or a source in the configuration"};
  settleSearch(*host.index(), configuration.deadlines.scan);
  const Answers answers(catalogue);
  Evaluation all;
  all.plugin = searchPlugin(host, configuration);
  all.skills = catalogue->entries().size();
  for (const Question &question : questions) {
    const Result<std::vector<SearchHit>> hits =
        ask(*host.index(), question, configuration.deadlines.query);
    if (!hits)
      return {hits.failure().fault,
              file + ":" + std::to_string(question.line) + ": " + hits.failure().message};
    AnsweredQuestion found{answers.of(*hits), {}};
    std::set<std::string> relevant;
    for (const std::string &name : question.skills) {
      const auto meant = answers.meant(name);
      if (!meant) all.unknown.push_back({question.line, name});
      relevant.insert(meant.value_or(name)); // an unknown name is never found
    }
    if (!relevant.empty()) found.measured = evaluation::measured(found.names, relevant);
    all.found.push_back(std::move(found));
  }
  return all;
}

void tellUnknown(const std::string &file, const std::vector<UnknownName> &unknown) {
  constexpr std::size_t maxReported = 20;
  for (std::size_t i = 0; i < std::min(maxReported, unknown.size()); ++i)
    printShown(stderr, "skillhost: %s:%zu: no skill is named \"%s\": it counts as not found\n",
               file.c_str(), unknown[i].line, shownLine(unknown[i].name).c_str());
  if (unknown.size() > maxReported)
    printShown(stderr, "skillhost: %s: and %s more that no skill has\n", file.c_str(),
               counted(unknown.size() - maxReported, "name").c_str());
}

} // namespace

int evaluateSearch(const SearchInvocation &search, const Configuration &configuration,
                   const std::string &executable, bool json) {
  const auto fails = [](const Failure &why) {
    printShown(stderr, "skillhost: %s\n", why.message.c_str());
    return 1;
  };
  const auto questions = evaluation::readQuestions(search.questions);
  if (!questions) return fails(questions.failure());
  const Result<Evaluation> own =
      evaluateWith(configuration, executable, search.questions, *questions);
  if (!own) return fails(own.failure());
  tellUnknown(search.questions, own->unknown);
  EvaluationReport report{search.questions, *questions, *own, nullptr, search.otherFile};
  if (!search.other) {
    printReport(report, json);
    return 0;
  }
  // Run them one after another, because both would keep their vectors in one place.
  const Result<Evaluation> other =
      evaluateWith(*search.other, executable, search.questions, *questions);
  if (!other)
    return fails({other.failure().fault, search.otherFile + ": " + other.failure().message});
  report.other = &*other;
  printReport(report, json);
  return 0;
}

} // namespace skillhost::app
