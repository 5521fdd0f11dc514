// SPDX-License-Identifier: Apache-2.0
// A search plugin in a process of its own, and what becomes of its index when that dies.
#include "catch2.hpp"
#include "processes.hpp"
#include "running.hpp"
#include "search_instance.hpp"

#include <atomic>

using namespace skillhost;
using namespace running;

namespace {

Result<Done> update(SearchInstance &search, const std::vector<SearchEntry> &put,
                    const std::string &generation) {
  return wait<Done>([&](auto answer) { search.update({}, put, {}, generation, answer); });
}
Result<std::vector<SearchHit>> query(SearchInstance &search, const std::string &text) {
  return wait<std::vector<SearchHit>>([&](auto answer) { search.query({}, text, "", 10, answer); });
}

const std::vector<SearchEntry> entries{
    {"s/pdf", "1", "pdf", "Merges and splits PDF documents", "Use qpdf.", "{}"},
    {"s/mail", "1", "mail", "Writes friendly letters", "Dear reader.", "{}"}};

} // namespace

TEST_CASE("an index in another process is filled, asked, lost, and filled anew") {
  const auto proxy = proxyFor(KEYWORD_PLUGIN);
  const auto made = Instance::create(proxy->descriptor(), {"search", KEYWORD_PLUGIN, "{}", {}});
  REQUIRE(made);
  std::atomic<bool> once{false};
  std::promise<void> hinted;
  (*made)->onChanged([&] {
    if (!once.exchange(true)) hinted.set_value();
  });
  SearchInstance search(*made);
  CHECK(query(search, "pdf")); // nothing put, nothing lost
  REQUIRE(update(search, entries, "1"));
  const auto hits = query(search, "merge pdf");
  REQUIRE(hits);
  REQUIRE(hits->size() == 1);
  CHECK((*hits)[0].id == "s/pdf");

  killAndWait(runners().at(0));
  CHECK(query(search, "merge pdf").failure().fault == Fault::Unavailable);
  hinted.get_future().wait();
  // The writer is told once; what it puts then begins anew.
  CHECK(update(search, {entries[0]}, "2").failure().fault == Fault::Stale);
  CHECK(query(search, "merge pdf").failure().fault == Fault::Unavailable);
  REQUIRE(update(search, entries, "3"));
  CHECK(query(search, "merge pdf")->size() == 1);
}
