// SPDX-License-Identifier: Apache-2.0
// Tests plugins that a marketplace.json takes from other repositories, by file://.
#include "catch2.hpp"
#include "fixture.hpp"

#include "github/marketplace_stores.hpp"
#include "github/state_file.hpp"

#include <filesystem>
#include <fstream>

using namespace skillhost::github;
using namespace skillhost::github::test;
using Names = std::vector<std::string>;

namespace {

// Writes a marketplace.json with these plugins, each given as name and source.
void offer(const Repository &market,
           const std::vector<std::pair<std::string, std::string>> &plugins) {
  std::string text;
  for (const auto &[name, source] : plugins)
    text +=
        (text.empty() ? "" : ", ") + (R"({"name": ")" + name + R"(", "source": )") + source + "}";
  market.write(".claude-plugin/marketplace.json", R"({"plugins": [)" + text + "]}");
}

std::string at(const Repository &repository, const std::string &more = "") {
  return R"({"source": "url", "url": "file://)" + repository.path() + "\"" + more + "}";
}

std::string open(const Repository &market, const std::string &more = "") {
  return configured(market, R"("allow_private_addresses": true)" + more);
}

// Waits until the listing has these documents. The repository's own documents come first.
Listing await(Instance &source, const Names &names) {
  Listing all = source.list();
  while (all.names() != names) {
    source.awaitChanged(); // throws if no further change arrives
    all = source.list();
  }
  return all;
}

// A repository that offers another one, which has a skill, as a plugin; and a cache.
struct Offered {
  Repository market, tools;
  Folder cache;
  Offered() {
    tools.skill("skills/a");
    tools.commit();
    market.skill("own");
    offer(market, {{"tools", at(tools)}});
    market.commit();
  }
};

} // namespace

TEST_CASE("plugins of other repositories are served beside one's own") {
  const Repository market;
  const Repository tools;
  const Repository wide;
  market.skill("own");
  tools.skill("skills/hammer");
  const std::string old = tools.commit();
  tools.skill("skills/saw");
  const std::string newest = tools.commit();
  wide.skill("plugins/left/skills/l");
  wide.skill("plugins/right/skills/r");
  wide.skill("");
  const std::string both = wide.commit();
  offer(market, {{"tools", at(tools)},
                 {"before", at(tools, R"(, "sha": ")" + old + "\"")},
                 {"left", at(wide, R"(, "path": "plugins/left")")},
                 {"own", at(wide, R"(, "path": "plugins/none")")}});
  const std::string commit = market.commit();
  const Folder cache;
  Instance source(open(market, R"(, "refresh_minutes": 0.005)"), cache.at("c"));
  const Listing all =
      await(source, {"before/skills/hammer:SKILL.md", "left/skills/l:SKILL.md", "own:SKILL.md",
                     "tools/skills/hammer:SKILL.md", "tools/skills/saw:SKILL.md"});
  CHECK(all.snapshot == commit + "+" + newest + "+" + old + "+" + both + "+" + both);
  CHECK(source.awaitLogged("no folder \"plugins/none\""));
  std::string bytes;
  const std::string &revision = all.documents.at("left/skills/l:SKILL.md").revision;
  CHECK(source.read("left/skills/l:SKILL.md", revision, bytes) == SKH_OK);
  CHECK(bytes.find("Does l.") != std::string::npos);

  SECTION("what changes there is followed") {
    tools.remove("skills/saw");
    tools.skill("skills/plane");
    tools.commit();
    await(source, {"before/skills/hammer:SKILL.md", "left/skills/l:SKILL.md", "own:SKILL.md",
                   "tools/skills/hammer:SKILL.md", "tools/skills/plane:SKILL.md"});
    const Listing news = source.changes(all.snapshot);
    CHECK(news.names() == Names{"tools/skills/plane:SKILL.md", "tools/skills/saw:SKILL.md"});
    CHECK(news.documents.at("tools/skills/saw:SKILL.md").flags == SKH_DOC_REMOVED);
  }
  SECTION("what is no longer offered goes") {
    offer(market, {{"left", at(wide, R"(, "path": "plugins/left")")}});
    market.commit();
    await(source, {"left/skills/l:SKILL.md", "own:SKILL.md"});
  }
}

TEST_CASE("marketplace plugins are served from the cache, and stay when their repository goes") {
  const Repository market;
  market.skill("own");
  const Folder cache;
  std::string configuration;
  std::string snapshot;
  {
    const Repository gone;
    gone.skill("skills/kept");
    gone.commit();
    offer(market, {{"far", at(gone)}});
    market.commit();
    configuration = open(market, R"(, "refresh_minutes": 0.005)");
    Instance source(configuration, cache.at("c"));
    snapshot = await(source, {"far/skills/kept:SKILL.md", "own:SKILL.md"}).snapshot;
  }
  Instance source(configuration, cache.at("c"));
  CHECK(source.list().names() == Names{"far/skills/kept:SKILL.md", "own:SKILL.md"});
  CHECK(source.awaitLogged("what is known of it is served"));
  CHECK(source.list().snapshot == snapshot);
  // A change of the marketplace repository does not remove it either.
  market.skill("second");
  market.commit();
  await(source, {"far/skills/kept:SKILL.md", "own:SKILL.md", "second:SKILL.md"});
}

TEST_CASE("only web addresses are asked unless the operator allows more") {
  const Repository market;
  const Repository near;
  market.skill("own");
  near.skill("skills/x");
  near.commit();
  offer(market, {{"disk", at(near)},
                 {"shell", R"({"source": "url", "url": "ssh://git@localhost/x.git"})"},
                 {"inside", R"({"source": "url", "url": "https://127.0.0.1:1/o/x.git"})"},
                 {"plain", R"({"source": "url", "url": "http://127.0.0.1:1/o/x.git"})"},
                 {"secret", R"({"source": "url", "url": "https://u:p4ss@example.org/x.git"})"}});
  market.commit();
  const Folder cache;
  Instance source(configured(market), cache.at("c"));
  CHECK(source.list().names() == Names{"own:SKILL.md"});
  CHECK(source.awaitLogged("\"secret\""));
  CHECK(source.logged("\"disk\" of file://" + near.path() + ": url:"));
  CHECK(source.logged("\"shell\" of ***@localhost/x.git: url:"));
  CHECK(source.logged("\"inside\" of https://127.0.0.1:1/o/x.git: url:"));
  CHECK_FALSE(source.logged("p4ss"));
  CHECK(source.logged("\"plain\" of http://127.0.0.1:1/o/x.git: url:"));
  CHECK(source.list().names() == Names{"own:SKILL.md"});
}

TEST_CASE("a plugin whose sha moves on never goes missing") {
  const Repository market;
  const Repository tools;
  tools.skill("skills/a");
  const std::string first = tools.commit();
  tools.skill("skills/b");
  const std::string second = tools.commit();
  offer(market, {{"tools", at(tools, R"(, "sha": ")" + first + "\"")}});
  market.commit();
  const Folder cache;
  Instance source(open(market, R"(, "refresh_minutes": 0.005)"), cache.at("c"));
  await(source, {"tools/skills/a:SKILL.md"});
  offer(market, {{"tools", at(tools, R"(, "sha": ")" + second + "\"")}});
  market.commit();
  await(source, {"tools/skills/a:SKILL.md", "tools/skills/b:SKILL.md"});
  const std::string all = source.everything();
  const std::string one = "with 1 skill";
  CHECK(all.find(one) == all.rfind(one));
  CHECK(all.rfind("with 0 skills") < all.find(one));
}

TEST_CASE("a damaged store of one repository harms no other, and is fetched anew") {
  const Repository market;
  const Repository left;
  const Repository right;
  market.skill("own");
  left.skill("skills/l");
  left.commit();
  right.skill("skills/r");
  right.commit();
  offer(market, {{"left", at(left)}, {"right", at(right)}});
  market.commit();
  const Folder cache;
  const Names everything{"left/skills/l:SKILL.md", "own:SKILL.md", "right/skills/r:SKILL.md"};
  {
    Instance source(open(market), cache.at("c"));
    await(source, everything);
  }
  const std::filesystem::path stores = cache.at("c/marketplace");
  const auto first = *std::filesystem::directory_iterator(stores);
  for (const auto &file : std::filesystem::recursive_directory_iterator(first))
    if (file.path().extension() == ".pack") {
      std::filesystem::permissions(file.path(), std::filesystem::perms::owner_all);
      std::filesystem::resize_file(file.path(), 40);
    }
  // Another layout makes the start read all trees.
  Instance source(open(market, R"(, "hidden": true)"), cache.at("c"));
  CHECK(source.list().names().size() == 2);
  CHECK(source.logged("is left out"));
  await(source, everything);
  std::string bytes;
  const Listing all = source.list();
  for (const auto &[name, document] : all.documents)
    CHECK(source.read(name, document.revision, bytes) == SKH_OK);
}

TEST_CASE_METHOD(Offered, "stores of repositories that are no longer named are removed") {
  {
    Instance source(open(market, R"(, "refresh_minutes": 0.005)"), cache.at("c"));
    await(source, {"own:SKILL.md", "tools/skills/a:SKILL.md"});
    offer(market, {});
    market.commit();
    await(source, {"own:SKILL.md"});
  }
  Instance source(open(market), cache.at("c"));
  CHECK(source.list().names() == Names{"own:SKILL.md"});
  CHECK(std::filesystem::is_empty(cache.at("c/marketplace")));
}

TEST_CASE_METHOD(Offered, "what the operator no longer allows is no longer served") {
  for (const char *const fewer :
       {R"("marketplace_plugins": false, "allow_private_addresses": true)",
        R"("allow_private_addresses": false)"}) {
    {
      Instance source(open(market), cache.at("c"));
      await(source, {"own:SKILL.md", "tools/skills/a:SKILL.md"});
    }
    Instance source(configured(market, fewer), cache.at("c"));
    CHECK(source.list().names() == Names{"own:SKILL.md"});
  }
}

TEST_CASE("under a pin a marketplace plugin needs a sha") {
  const Repository market;
  const Repository tools;
  tools.skill("skills/a");
  const std::string sha = tools.commit();
  market.skill("own");
  offer(market, {{"floating", at(tools)}, {"fixed", at(tools, R"(, "sha": ")" + sha + "\"")}});
  const std::string pin = market.commit();
  const Folder cache;
  const std::string configuration = open(market, R"(, "pin": ")" + pin + "\"");
  {
    Instance source(configuration, cache.at("c"));
    await(source, {"fixed/skills/a:SKILL.md", "own:SKILL.md"});
    CHECK(source.logged("\"floating\" of file://" + tools.path() + " is left out: it has no sha"));
  }
  // Everything is in the cache, so no repository is needed.
  tools.remove(".git");
  market.remove(".git");
  Instance source(configuration, cache.at("c"));
  CHECK(source.list().names().size() == 2);
  CHECK(source.metric("polls") == 0);
}

TEST_CASE("the name of a snapshot says all its commits") {
  const std::string a(40, 'a');
  const std::string b(40, 'b');
  State state{"u", "r", a};
  CHECK(state.snapshot() == a);
  state.marketplace = {{{}, ""}, {{}, b}, {{}, ""}};
  CHECK(state.snapshot() == a + "+-+" + b);
  CHECK(commitsOf(state.snapshot()) == Names{a, "", b});
  CHECK(commitsOf(a) == Names{a});
  // Git LFS files that are present give the same commits another snapshot id.
  State other = state;
  other.lfs = {{a, ""}};
  CHECK(other.snapshot() == state.snapshot());
  other.lfs[a] = b;
  CHECK(other.snapshot() != state.snapshot());
  CHECK(commitsIn(other.snapshot()) == state.snapshot());
  CHECK(commitsOf(other.snapshot()) == commitsOf(state.snapshot()));
  for (const std::string &wrong :
       {std::string(), std::string("-"), a + "+", a + "++" + b, "+" + a, a + "x"})
    CHECK(!commitsOf(wrong));
  const Folder folder;
  state.marketplace[1].plugin = {"n", "o/x", "main", b, "sub", {".x"}};
  state.isLfsAnswered = true;
  writeState(folder.at("state"), state);
  const std::optional<State> read = readState(folder.at("state"), "u");
  REQUIRE(read);
  REQUIRE(read->marketplace.size() == 3);
  CHECK(read->marketplace[1].plugin == state.marketplace[1].plugin);
  CHECK(read->snapshot() == state.snapshot());
  CHECK(read->isLfsAnswered);
}

TEST_CASE("stores of other repositories are removed, and nothing that is no store of ours") {
  namespace fs = std::filesystem;
  const Folder folder;
  const std::string all = folder.at("marketplace");
  const auto entries = [](const std::string &path) {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  };
  {
    MarketplaceStores stores(all);
    for (const char *const url : {"https://a.b/one", "https://a.b/two", "https://a.b/three"})
      stores.at(url);
  }
  std::ofstream(all + "/notes") << "mine";
  REQUIRE(entries(all) == 4);
  MarketplaceStores(all).retain({"https://a.b/one", "https://a.b/two"});
  CHECK(entries(all) == 3);
  CHECK(fs::exists(all + "/notes"));
  // The link leads to files of another program or user.
  fs::rename(all, folder.at("elsewhere"));
  fs::create_directory_symlink(folder.at("elsewhere"), all);
  MarketplaceStores(all).retain({});
  CHECK(entries(folder.at("elsewhere")) == 3);
}
