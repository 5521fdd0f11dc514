// SPDX-License-Identifier: Apache-2.0
// Who has a name while skills come, go and come back.
#include "catch2.hpp"
#include "skills/builder.hpp"

#include <utility>

using namespace skillhost;

namespace {

struct Named {
  std::string path, name, toolName;
};

SourceResult source(const std::string &name, const std::vector<Named> &skills) {
  auto made = std::make_shared<SourceSkills>();
  made->source = name;
  for (const auto &[path, written, toolName] : skills) {
    auto skill = std::make_shared<Skill>();
    skill->id = name + "/" + path;
    skill->source = name;
    skill->path = path;
    skill->uri = "skill://" + skill->id;
    skill->fields.name = written;
    skill->fields.toolName = toolName;
    made->skills[path] = std::move(skill);
  }
  return {name, std::move(made), {}};
}

std::string holder(const Catalogue &catalogue, std::string_view name) {
  const CatalogueEntry *const entry = catalogue.byName(name);
  return entry == nullptr ? "nobody" : entry->skill->id;
}

const Named pdf{"pdf", "pdf", "pdf"};

} // namespace

TEST_CASE("a skill that was away for a moment has its name again") {
  GoneNames gone;
  const auto both = std::vector{source("own", {pdf}), source("far", {pdf})};
  const auto first = buildCatalogue(1, both, nullptr, &gone);
  CHECK(holder(*first, "pdf") == "own/pdf");
  const auto without =
      buildCatalogue(2, {source("own", {}), source("far", {pdf})}, first.get(), &gone);
  CHECK(holder(*without, "pdf") == "far/pdf");
  const auto again = buildCatalogue(3, both, without.get(), &gone);
  CHECK(holder(*again, "pdf") == "own/pdf");
  const auto renamed = buildCatalogue(
      4, {source("own", {{"pdf", "pfd", "pfd"}}), source("far", {pdf})}, again.get(), &gone);
  CHECK(holder(*renamed, "pdf") == "far/pdf");
  const auto corrected = buildCatalogue(5, both, renamed.get(), &gone);
  CHECK(holder(*corrected, "pdf") == "own/pdf");
}

TEST_CASE("a newcomer takes no name, also when it goes and comes back") {
  GoneNames gone;
  const auto first = buildCatalogue(1, {source("own", {}), source("far", {pdf})}, nullptr, &gone);
  const auto both = std::vector{source("own", {pdf}), source("far", {pdf})};
  const auto second = buildCatalogue(2, both, first.get(), &gone);
  CHECK(holder(*second, "pdf") == "far/pdf");
  const auto third =
      buildCatalogue(3, {source("own", {}), source("far", {pdf})}, second.get(), &gone);
  const auto fourth = buildCatalogue(4, both, third.get(), &gone);
  CHECK(holder(*fourth, "pdf") == "far/pdf");
}

TEST_CASE("another spelling of a name is the name of who has it") {
  const auto catalogue = buildCatalogue(
      1, {source("own", {pdf}), source("far", {{"shout", "PDF", "pdf"},
                                               {"path", "own/gone", "own-gone"},
                                               {"one", "Azure CLI", "azure-cli"},
                                               {"other", "azure-cli", "azure-cli"}})});
  for (const char *name : {"pdf", "Pdf", "PDF", " pdf "})
    CHECK(holder(*catalogue, name) == "own/pdf");
  CHECK(holder(*catalogue, "own/gone") == "nobody");
  CHECK(holder(*catalogue, "azure-cli") == "far/other");
  CHECK(holder(*catalogue, "far/shout") == "far/shout");
}
