// SPDX-License-Identifier: Apache-2.0
// Tests the AI Catalog: which servers can have one, and its identifiers, types and URLs.
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

std::string urlIn(const std::string &mcpUrl) {
  return Json::parse(AiCatalog(mcpUrl, "").entry(skillNamed("pdf", 1), "abc"))
      .at("url")
      .get<std::string>();
}

} // namespace

TEST_CASE("an entry names the skill by the server's domain, and its file by a URL and a digest") {
  const AiCatalog catalog("https://Skills.example.org:443/team/mcp", "");
  CHECK(Json::parse(catalog.entry(skillNamed("pdf", 1), "abc")) == Json::parse(R"({
    "identifier": "urn:air:skills.example.org:skill:pdf", "displayName": "pdf",
    "type": "text/markdown; profile=\"urn:air:agent-skills\"",
    "url": "https://skills.example.org/.well-known/agent-skills/pdf/SKILL.md",
    "description": "Says \"pdf\".", "digest": "sha256:abc"})"));
  const Json packed = Json::parse(catalog.entry(skillNamed("csv", 2), "abc"));
  CHECK(packed.at("type") == "application/agent-skills+gzip");
  CHECK(packed.at("url") == "https://skills.example.org/.well-known/agent-skills/csv.tar.gz");
}

// RFC 8615 puts well-known documents there, whatever path a proxy puts before that of MCP.
TEST_CASE("the files are at the root of the server") {
  const std::string file = "/.well-known/agent-skills/pdf/SKILL.md";
  for (const char *const url :
       {"https://mcp.example", "https://mcp.example/", "https://mcp.example/mcp",
        "https://mcp.example/x/mcp/", "https://mcp.example/xmcp"})
    CHECK(urlIn(url) == "https://mcp.example" + file);
  CHECK(urlIn("http://mcp.example:8080/mcp") == "http://mcp.example:8080" + file);
}

TEST_CASE("only a server with a domain has a catalog") {
  for (const char *const url : {"https://a.example/mcp", "https://A.EXAMPLE./mcp",
                                "http://1.a2.example:8080", "https://xn--bcher-kva.example"})
    CHECK(AiCatalog(url, "").isPossible());
  for (const char *const url :
       {"", "https://mcp", "http://localhost:8080/mcp", "http://127.0.0.1/mcp",
        "http://[::1]:8080/mcp", "http://0.0.0.0", "https://a_b.example"})
    CHECK_FALSE(AiCatalog(url, "").isPossible());
}

TEST_CASE("the catalog begins with the host, and with the server card if there is one") {
  CHECK(Json::parse(AiCatalog("https://a.example./mcp", "").beginning() + "]}") == Json::parse(R"({
    "specVersion": "1.0", "host": {"displayName": "a.example"}, "entries": []})"));
  const Json begun =
      Json::parse(AiCatalog("https://a.example/mcp/", "org.b/x_1").beginning() + "]}");
  CHECK(begun.at("entries") == Json::parse(R"([{
    "identifier": "urn:air:a.example:mcp:x_1", "displayName": "x_1",
    "type": "application/mcp-server-card+json", "url": "https://a.example/mcp/server-card"}])"));
}
