// SPDX-License-Identifier: Apache-2.0
#include "commands/search.hpp"

#include "base/shown.hpp"
#include "commands/failed_sources.hpp"
#include "host.hpp"

#include <cstdio>
#include <future>

namespace skillhost::app {

int searchSkills(const Invocation &invocation, const std::string &executable) {
  Host host(invocation.configuration, executable);
  host.waitUntilReady(true);
  if (host.index() == nullptr) {
    printShown(stderr, "skillhost: there is no search backend (search.plugin is none)\n");
    return 1;
  }
  std::promise<Result<std::vector<SearchHit>>> promise;
  host.index()->query(
      {}, invocation.query, {}, static_cast<std::uint32_t>(invocation.configuration.defaultTopK),
      [&](Result<std::vector<SearchHit>> hits) { promise.set_value(std::move(hits)); });
  const Result<std::vector<SearchHit>> hits = promise.get_future().get();
  if (!hits) {
    printShown(stderr, "skillhost: %s\n", hits.failure().message.c_str());
    return 1;
  }
  const auto catalogue = host.library().catalogue();
  Json all = Json::array();
  for (const SearchHit &hit : *hits) {
    const CatalogueEntry *const entry = catalogue->byId(hit.id);
    if (entry == nullptr) continue;
    if (invocation.json)
      all.push_back({{"name", entry->name},
                     {"score", hit.score},
                     {"description", entry->skill->fields.description},
                     {"snippet", hit.snippet}});
    else
      printShown(stdout, "%6.2f  %s\n        %s\n", hit.score, entry->name.c_str(),
                 shownLine(entry->skill->fields.description).c_str());
  }
  const bool failed = reportAllFailed(*catalogue);
  if (invocation.json)
    std::printf("%s\n", all.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  else if (hits->empty() && !failed)
    printShown(stdout, "no skill fits\n");
  return failed ? 1 : 0;
}

} // namespace skillhost::app
