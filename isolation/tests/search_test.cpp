// SPDX-License-Identifier: Apache-2.0
// Tests a search plugin in a process of its own, and what happens to its index when the process
// dies.
#include "catch2.hpp"
#include "processes.hpp"
#include "search_calls.hpp"

#include "temporary_folder.hpp"

using namespace skillhost;
using namespace running;

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
