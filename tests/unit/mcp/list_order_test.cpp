// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "list_order.hpp"
#include "skills/builder.hpp"

#include <string>
#include <vector>

using namespace skillhost;

namespace {

// A catalogue of sources "a" and "b" with skills of these names.
struct Shown {
  std::shared_ptr<const Catalogue> catalogue;
  ListOrder order;

  Shown(const std::vector<std::string> &a, const std::vector<std::string> &b) {
    const auto source = [](const char *name, const std::vector<std::string> &paths) {
      auto skills = std::make_shared<SourceSkills>();
      skills->source = name;
      for (const std::string &path : paths) {
        auto skill = std::make_shared<Skill>();
        skill->id = std::string(name) + "/" + path;
        skill->source = name;
        skill->path = path;
        skill->uri = "skill://" + skill->id;
        skill->fields.name = path;
        skill->fields.toolName = skill->fields.name;
        skills->skills[path] = std::move(skill);
      }
      return SourceResult{name, std::move(skills), {}};
    };
    catalogue = buildCatalogue(1, {source("a", a), source("b", b)});
    order.front = 1;
    order.middle = 1;
    for (const CatalogueEntry &entry : catalogue->entries()) order.skills.push_back(&entry);
  }
  ListKeys keys() const { return order.keys(*catalogue); }
  std::vector<std::string> idsFrom(std::size_t begin) const {
    std::vector<std::string> ids;
    for (std::size_t i = begin; i < order.size(); ++i) ids.push_back(keys().at(i));
    return ids;
  }
  // Returns the list after a page that ended with the entry at `last` of another one.
  std::vector<std::string> goOn(const Shown &former, std::size_t last) const {
    const std::string member = nextCursor(former.keys(), {0, last + 1, true});
    const std::size_t colon = member.find(":\"");
    const auto page = pageAt(keys(), member.substr(colon + 2, member.size() - colon - 3), 100);
    REQUIRE(page);
    return idsFrom(page->begin);
  }
};

using Ids = std::vector<std::string>;

} // namespace

TEST_CASE("every entry has a key of its own that leads behind it") {
  const Shown all({"x", "y"}, {"x"});
  CHECK(all.idsFrom(0) == Ids{"h0", "sa/x", "sa/y", "sb/x", "h1"});
  for (std::size_t i = 0; i < all.order.size(); ++i)
    CHECK(all.keys().after(all.keys().at(i)) == i + 1);
  CHECK_FALSE(all.keys().after("h2"));
  CHECK_FALSE(all.keys().after("szzz/x"));
  CHECK_FALSE(all.keys().after("?"));
}

TEST_CASE("a cursor holds when the list has become another one") {
  const Shown before({"b", "d"}, {"x"}); // h0 a/b a/d b/x h1
  // Entries before the cursor shift nothing.
  CHECK(Shown({"a", "b", "c", "d"}, {"x"}).goOn(before, 1) == Ids{"sa/c", "sa/d", "sb/x", "h1"});
  // The entry that the cursor names has gone.
  CHECK(Shown({"a", "c", "d"}, {"x"}).goOn(before, 1) == Ids{"sa/c", "sa/d", "sb/x", "h1"});
  CHECK(Shown({"b"}, {"x"}).goOn(before, 2) == Ids{"sb/x", "h1"});
  // All entries of its source have gone.
  CHECK(Shown({}, {"w", "x"}).goOn(before, 2) == Ids{"sb/w", "sb/x", "h1"});
  // Behind it there is nothing except the fixed entries.
  CHECK(Shown({"a"}, {}).goOn(before, 3) == Ids{"h1"});
  CHECK(Shown({"a"}, {}).goOn(before, 0) == Ids{"sa/a", "h1"});
}
