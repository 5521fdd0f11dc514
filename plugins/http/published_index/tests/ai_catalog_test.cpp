// SPDX-License-Identifier: Apache-2.0
// Tests the entries of the AI Catalog: identifiers, types and URLs below those of the server.
#include "ai_catalog.hpp"
#include "catch2.hpp"
#include "ground/json.hpp"

#include <memory>
#include <string>

using namespace skillhost;

namespace {

CatalogueEntry skillNamed(const std::string &name, std::size_t files) {
  auto skill = std::make_shared<Skill>();
  skill->fields.description = "Says \"" + name + "\".";
  skill->files = Documents::List(files);
  CatalogueEntry entry;
  entry.name = name;
  entry.skill = skill;
  return entry;
}

Json entryOf(const CatalogPlace &place, const CatalogueEntry &entry) {
  return Json::parse(aiCatalogLayout(place).entry(entry, "abc"));
}

std::string urlOf(const std::string &mcpUrl, const std::string &mcpPath) {
  return entryOf({mcpUrl, mcpPath}, skillNamed("pdf", 1)).at("url").get<std::string>();
}

} // namespace

TEST_CASE("an entry names the skill by the server's domain, and its file by a URL and a digest") {
  const CatalogPlace place{"https://Skills.example.org:443/team/mcp", "/mcp"};
  CHECK(entryOf(place, skillNamed("pdf", 1)) == Json::parse(R"({
    "identifier": "urn:air:skills.example.org:skill:pdf", "displayName": "pdf",
    "type": "text/markdown; profile=\"urn:air:agent-skills\"",
    "url": "https://skills.example.org/team/.well-known/agent-skills/pdf/SKILL.md",
    "description": "Says \"pdf\".", "metadata": {"digest": "sha256:abc"}})"));
  const Json packed = entryOf(place, skillNamed("csv", 2));
  CHECK(packed.at("type") == "application/agent-skills+gzip");
  CHECK(packed.at("url") == "https://skills.example.org/team/.well-known/agent-skills/csv.tar.gz");
}

TEST_CASE("the URL of a file begins with what a proxy puts before the path of MCP") {
  const std::string file = ".well-known/agent-skills/pdf/SKILL.md";
  CHECK(urlOf("https://a.example/mcp", "/mcp") == "https://a.example/" + file);
  CHECK(urlOf("https://a.example/x/mcp/", "/mcp") == "https://a.example/x/" + file);
  CHECK(urlOf("https://a.example/x/mcp", "/mcp/") == "https://a.example/x/" + file);
  CHECK(urlOf("https://a.example", "/") == "https://a.example/" + file);
  // The proxy maps another path to that of MCP: the files are looked for at its root.
  CHECK(urlOf("https://a.example/tools", "/mcp") == "https://a.example/" + file);
  CHECK(urlOf("http://[::1]:8080/mcp", "/mcp") == "http://[::1]:8080/" + file);
}

TEST_CASE("a server without a domain has entries that are identified by their URL") {
  const Json entry = entryOf({"http://[::1]:8080/mcp", "/mcp"}, skillNamed("pdf", 1));
  CHECK(entry.at("identifier") == entry.at("url"));
}

TEST_CASE("the first entry is the server card, if there is one") {
  CatalogPlace place{"https://a.example/mcp", "/mcp"};
  CHECK(aiCatalogLayout(place).first.empty());
  place.cardName = "example.a/skills";
  CHECK(Json::parse(aiCatalogLayout(place).first) == Json::parse(R"({
    "identifier": "urn:air:a.example:mcp:skills", "displayName": "skills",
    "type": "application/mcp-server-card+json", "url": "https://a.example/mcp/server-card"})"));
}
