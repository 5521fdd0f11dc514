// SPDX-License-Identifier: Apache-2.0
#include "catalogue_command.hpp"
#include "evaluate.hpp"
#include "explained.hpp"
#include "failed_sources.hpp"
#include "ground/await.hpp"
#include "ground/shown.hpp"
#include "host.hpp"
#include "json_output.hpp"
#include "known_configuration.hpp"
#include "program.hpp"
#include "search_options.hpp"
#include "settled_search.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace skillhost::app {
namespace {

// Fetches the explanation of each hit, until the plugin says that it has none.
class Explanations {
public:
  Explanations(const Index &index, const SearchInvocation &search,
               std::chrono::milliseconds timeout)
      : backend_(index.backend()), search_(search), timeout_(timeout),
        isWanted_(search_.explain && backend_) {}

  // Returns null if there is no explanation.
  Json of(const std::string &id) {
    if (!isWanted_) return nullptr;
    const auto said =
        awaitAnswer<Result<std::string>>([&](const ResultCallback<std::string> &answer) {
          backend_->explain({Deadline::after(timeout_), {}, nullptr}, search_.query, id, answer);
        });
    Result<Json> json = said ? parseJson(*said) : Result<Json>(said.failure());
    if (json) return *std::move(json);
    isWanted_ = json.failure().fault != Fault::NotImplemented;
    if (isWanted_) failed_ = true;
    printShown(stderr, "skillhost: %s\n",
               isWanted_ ? json.failure().message.c_str()
                         : "the search plugin does not say why it finds what it finds");
    return nullptr;
  }
  bool failed() const noexcept { return failed_; }

private:
  const std::shared_ptr<SearchBackend> backend_;
  const SearchInvocation &search_;
  const std::chrono::milliseconds timeout_;
  bool isWanted_;
  bool failed_ = false;
};

int findSkills(const SearchInvocation &search, const Configuration &configuration,
               const std::string &executable, bool json) {
  Host host(configuration, executable, builtForHosts());
  host.waitUntilReady(true);
  if (host.index() == nullptr) {
    printShown(stderr, "skillhost: there is no search backend (search.plugin is none)\n");
    return 1;
  }
  settleSearch(*host.index(), configuration.deadlines.scan);
  const auto limit = static_cast<std::uint32_t>(configuration.defaultTopK);
  const auto hits = awaitAnswer<Result<std::vector<SearchHit>>>(
      [&](ResultCallback<std::vector<SearchHit>> answer) {
        host.index()->query({}, search.query, {}, limit, std::move(answer));
      });
  if (!hits) {
    printShown(stderr, "skillhost: %s\n", hits.failure().message.c_str());
    return 1;
  }
  if (!json && !hits->empty() && hits->front().score < host.index()->fittingScore())
    printShown(stderr, "skillhost: no skill fits this well; these are the nearest\n");
  const auto catalogue = host.library().catalogue();
  Explanations explanations(*host.index(), search, configuration.deadlines.query);
  Json all = Json::array();
  for (const SearchHit &hit : *hits) {
    const CatalogueEntry *const entry = catalogue->byId(hit.id);
    if (entry == nullptr) continue;
    Json why = explanations.of(hit.id);
    if (json) {
      all.push_back({{"name", entry->name},
                     {"score", hit.score},
                     {"description", entry->skill->fields.description},
                     {"snippet", hit.snippet}});
      if (!why.is_null()) all.back()["explanation"] = std::move(why);
      continue;
    }
    printShown(stdout, "%6.2f  %s\n        %s\n", hit.score, entry->name.c_str(),
               shownLine(entry->skill->fields.description).c_str());
    if (why.is_null()) continue;
    for (const std::string &line : explainedLines(why))
      printShown(stdout, "        %s\n", line.c_str());
  }
  const bool failed = reportAllFailed(*catalogue) || explanations.failed();
  if (json)
    printJson(all);
  else if (hits->empty() && !failed)
    printShown(stdout, "no skill fits\n");
  return failed ? 1 : 0;
}

int searchSkills(const ParsedArguments &given, const Surroundings &surroundings) {
  Result<SearchInvocation> search = searchInvocation(given, surroundings);
  if (!search) return programs::refuse(search.failure());
  Result<KnownConfiguration> known = knownConfiguration(given, surroundings);
  if (!known) return programs::refuse(known.failure());
  if (const Status taken = takeEvaluation(given, surroundings, *known, *search); !taken)
    return programs::refuse(taken.failure());
  const CommandLog log(*known, surroundings);
  const auto carryOut = search->questions.empty() ? findSkills : evaluateSearch;
  return carryOut(*search, known->configuration, surroundings.executable, given.has("--json"));
}

} // namespace

CatalogueCommand searchCommand() { return {{searchDescription()}, searchSkills}; }

} // namespace skillhost::app
