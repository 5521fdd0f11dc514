// SPDX-License-Identifier: Apache-2.0
// Tests a search plugin in a process of its own, and what happens to its index when the process
// dies.
#include "catch2.hpp"
#include "processes.hpp"
#include "running.hpp"
#include "search_instance.hpp"

#include "temporary_folder.hpp"

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
Result<std::string> explain(SearchInstance &search, const std::string &text,
                            const std::string &id) {
  return wait<std::string>([&](auto answer) { search.explain({}, text, id, answer); });
}
Result<std::string> settle(SearchInstance &search) {
  return wait<std::string>([&](auto answer) { search.settle({}, answer); });
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
  CHECK(query(search, "pdf")); // nothing was put, so nothing is lost
  REQUIRE(update(search, entries, "1"));
  const auto hits = query(search, "merge pdf");
  REQUIRE(hits);
  REQUIRE(hits->size() == 1);
  CHECK((*hits)[0].id == "s/pdf");

  const auto why = explain(search, "merge pdf", "s/pdf");
  REQUIRE(why);
  CHECK(why->find(R"("word":"merge")") != std::string::npos);
  CHECK(explain(search, "merge pdf", "s/none").failure().fault == Fault::NotFound);
  CHECK(*settle(search) == ""); // there is nothing to wait for

  killAndWait(runners().at(0));
  CHECK(query(search, "merge pdf").failure().fault == Fault::Unavailable);
  CHECK(explain(search, "merge pdf", "s/pdf").failure().fault == Fault::Unavailable);
  hinted.get_future().wait();
  // The writer learns of the loss once, and its next put starts a new index.
  CHECK(update(search, {entries[0]}, "2").failure().fault == Fault::Stale);
  CHECK(query(search, "merge pdf").failure().fault == Fault::Unavailable);
  REQUIRE(update(search, entries, "3"));
  CHECK(query(search, "merge pdf")->size() == 1);
}

TEST_CASE("an index that was kept is listed through the process, and asked after its death") {
  const TemporaryFolder cache;
  const auto proxy = proxyFor(fixtures + "/keeping.so");
  const auto made =
      Instance::create(proxy->descriptor(), {"search", "keeping", "{}", cache.path()});
  REQUIRE(made);
  SearchInstance search(*made);
  using Held = std::optional<std::vector<HeldEntry>>;
  const auto held = [&] { return wait<Held>([&](auto answer) { search.held({}, answer); }); };
  CHECK_FALSE(held()->has_value());
  REQUIRE(update(search, entries, "1"));
  CHECK((**held()).size() == 2);

  killAndWait(runners().at(0));
  CHECK(query(search, "PDF").failure().fault == Fault::Unavailable);
  // After the writer has seen the list of entries, queries are answered again.
  const Result<Held> kept = held();
  REQUIRE(kept);
  REQUIRE(kept->has_value());
  CHECK((**kept)[1].id == "s/pdf");
  CHECK((**kept)[1].revision == "1");
  CHECK(query(search, "PDF")->size() == 1);
  REQUIRE(update(search, {entries[0]}, "2"));
  CHECK(query(search, "letters")->size() == 1);
}

TEST_CASE("a list without end from another process is cut off, and the process ended if need be") {
  const TemporaryFolder cache;
  for (const char *const way : {"good", "huge", "deaf"}) {
    const auto proxy = proxyFor(fixtures + "/keeping.so");
    const auto made = Instance::create(
        proxy->descriptor(),
        {"search", "keeping", R"({"held":")" + std::string(way) + R"("})", cache.path()});
    REQUIRE(made);
    SearchInstance search(*made);
    using Held = std::optional<std::vector<HeldEntry>>;
    if (std::string(way) == "good") {
      REQUIRE(update(search, entries, "1"));
      continue;
    }
    CHECK(wait<Held>([&](auto answer) { search.held({}, answer); }).failure().fault ==
          Fault::TooLarge);
  }
}

TEST_CASE("what explains nothing says so, in a process too") {
  const auto proxy = proxyFor(MISBEHAVING "/misbehaving_search_good.so");
  const auto made =
      Instance::create(proxy->descriptor(), {"search", "misbehaving_search_good", "{}", {}});
  REQUIRE(made);
  SearchInstance search(*made);
  CHECK(explain(search, "pdf", "s/pdf").failure().fault == Fault::NotImplemented);
  CHECK(*settle(search) == "");
}

TEST_CASE("an explanation that is no JSON object is a failure of the plugin") {
  const auto proxy = proxyFor(MISBEHAVING "/misbehaving_search_explains_in_words.so");
  const auto made =
      Instance::create(proxy->descriptor(), {"search", "misbehaving_search_explains", "{}", {}});
  REQUIRE(made);
  SearchInstance search(*made);
  const auto why = explain(search, "pdf", "s/pdf");
  REQUIRE(!why);
  CHECK_THAT(why.failure().message, Catch::Contains("explain: it is no JSON object"));
}
