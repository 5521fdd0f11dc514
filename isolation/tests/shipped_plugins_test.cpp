// SPDX-License-Identifier: Apache-2.0
// Runs plugins that are shipped with the server in a process of their own. Meson leaves this test
// out of a tree that lacks one of them.
#include "catch2.hpp"
#include "processes.hpp"
#include "search_calls.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>

using namespace skillhost;
using namespace running;

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

TEST_CASE("the filesystem source serves real files from its own process, and follows them") {
  namespace fs = std::filesystem;
  const fs::path root =
      fs::temp_directory_path() / ("skillhost-process-" + std::to_string(::getpid()));
  fs::create_directories(root / "greeter");
  std::ofstream(root / "greeter" / "SKILL.md") << "---\nname: greeter\ndescription: x\n---\nHi\n";
  {
    Running source = start(FILESYSTEM_PLUGIN, {{"directories", {root.string()}}});
    std::promise<void> hinted;
    std::atomic<bool> once{false};
    source.source->onChanged([&] {
      if (!once.exchange(true)) hinted.set_value();
    });
    const Result<Snapshot> snapshot = list(source);
    INFO((snapshot ? std::string() : snapshot.failure().message));
    REQUIRE(snapshot);
    REQUIRE(snapshot->documents.size() == 1);
    const Result<std::string> text = read(source, snapshot->documents[0]);
    REQUIRE(text);
    CHECK(contains(*text, "Hi"));
    std::ofstream(root / "greeter" / "more.md") << "more";
    hinted.get_future().wait();
    const Result<Snapshot> after = list(source);
    REQUIRE(after);
    CHECK(after->documents.size() == 2);
  }
  fs::remove_all(root);
}
