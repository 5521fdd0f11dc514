// SPDX-License-Identifier: Apache-2.0
// Tests bills of materials: a skill's origin as a package URL, and the whole document.
#include "catch2.hpp"
#include "document.hpp"
#include "package_url.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace skillhost;
using namespace skillhost::app;

namespace {

const std::string commit(40, 'c'), digest(64, 'd');

Json git(const std::string &repository, const std::string &path = ".") {
  return {{"kind", "git"}, {"repository", repository}, {"commit", commit}, {"path", path}};
}

BomSkill skill(const std::string &id, Json facts = Json::object()) {
  BomSkill made;
  made.id = id;
  made.source = id.substr(0, id.find('/'));
  made.name = id.substr(id.find('/') + 1);
  made.digest = digest;
  made.facts = std::move(facts);
  return made;
}

const Json &componentNamed(const Json &bom, const std::string &name) {
  const Json &all = bom.at("components");
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Json &one) { return one.at("name") == name; });
  REQUIRE(found != all.end());
  return *found;
}

} // namespace

TEST_CASE("a package URL names the place that a skill comes from") {
  CHECK(packageUrl("pdf", git("https://github.com/Acme/Skills.git", "tools/pdf")) ==
        "pkg:github/acme/skills@" + commit + "#tools/pdf");
  CHECK(packageUrl("pdf", git("git@github.com:acme/skills.git")) ==
        "pkg:github/acme/skills@" + commit);
  CHECK(packageUrl("a b", git("https://git.example.org/x.git", "p q")) ==
        "pkg:generic/a%20b@" + commit + "?vcs_url=git%2Bhttps://git.example.org/x.git%40" + commit +
            "#p%20q");
  CHECK(packageUrl("pdf", git("git@git.example.org:team/x")) ==
        "pkg:generic/pdf@" + commit + "?vcs_url=git%2Bssh://git%40git.example.org/team/x%40" +
            commit);
  const Json artefact{{"kind", "oci"},
                      {"reference", "r.example:5000/team/Pdf:1.2"},
                      {"manifest_digest", "sha256:" + digest},
                      {"path", "."}};
  CHECK(packageUrl("x", artefact) ==
        "pkg:oci/pdf@sha256%3A" + digest + "?repository_url=r.example:5000/team/Pdf&tag=1.2");
  Json byDigest = artefact;
  byDigest["reference"] = "r.example:5000/pdf@sha256:" + digest;
  CHECK(packageUrl("x", byDigest) ==
        "pkg:oci/pdf@sha256%3A" + digest + "?repository_url=r.example:5000/pdf");
  CHECK(packageUrl("pdf", {{"kind", "well-known"},
                           {"archive", "https://example.org/pdf.tgz"},
                           {"archive_digest", "sha256:" + digest}}) ==
        "pkg:generic/pdf?checksum=sha256:" + digest + "&download_url=https://example.org/pdf.tgz");
}

TEST_CASE("what is nowhere in the world has no package URL") {
  CHECK(packageUrl("pdf", {{"kind", "folder"}, {"folder", "/srv/pdf"}}).empty());
  CHECK(packageUrl("pdf", git("file:///srv/git/skills")).empty());
  CHECK(packageUrl("pdf", {{"kind", "git"}, {"commit", 7}}).empty());
  CHECK(packageUrl("pdf", Json::object()).empty());
}

TEST_CASE("a supplier is whose repository, registry or site it is") {
  CHECK(supplierOf(git("https://github.com/acme/skills")) == "github.com/acme");
  CHECK(supplierOf(git("https://git.example.org/x")) == "git.example.org");
  CHECK(supplierOf({{"reference", "r.example:5000/team/pdf:1"}}) == "r.example:5000/team");
  CHECK(supplierOf({{"index", "https://example.org/.well-known/x"}}) == "example.org");
  CHECK(supplierOf({{"kind", "folder"}}).empty());
}

TEST_CASE("the document tells of each skill what is known of it") {
  BomSkill one = skill("far/pdf", git("git@github.com:acme/skills.git", "pdf"));
  one.version = "1.2";
  one.licence = "MIT";
  one.authors = {"Ada"};
  one.files = {{"SKILL.md", digest, 3, false}, {"x.sh", digest, 4, false}};
  Bom bom{"0.1", 0, false, {one, skill("own/csv", {{"kind", "folder"}})}, {}};
  bom.plugins.push_back(
      {"org.x.git", "1.0", "Git", "Apache-2.0", "skh.source/1", "process", digest, {"far"}});
  const Json made = cycloneDx(bom);
  const Json &pdf = componentNamed(made, "pdf");
  CHECK((pdf.at("type") == "application" && pdf.at("version") == "1.2"));
  CHECK(pdf.at("licenses")[0] == Json{{"license", {{"id", "MIT"}}}});
  CHECK(pdf.at("externalReferences")[0].at("url") == "ssh://git@github.com/acme/skills.git");
  CHECK(pdf.at("hashes")[0].at("content") == digest);
  CHECK(pdf.at("supplier").at("name") == "github.com/acme");
  CHECK_FALSE(pdf.contains("components"));
  const Json &csv = componentNamed(made, "csv");
  CHECK((csv.at("type") == "data" && !csv.contains("purl") && !csv.contains("version")));
  CHECK(made.at("dependencies").dump().find(R"("skill:own/csv","dependsOn")") ==
        std::string::npos); // its plugin is unknown
  bom.withFiles = true;
  CHECK(componentNamed(cycloneDx(bom), "pdf").at("components")[1].at("name") == "x.sh");
}

TEST_CASE("a licence that SPDX does not name is a name") {
  BomSkill one = skill("a/b");
  one.licence = "Proprietary. LICENSE.txt has complete terms";
  const Json made = cycloneDx({"0.1", 0, false, {one}, {}});
  CHECK(componentNamed(made, "b").at("licenses")[0].at("license") == Json{{"name", one.licence}});
}

TEST_CASE("the same makes the same document, and anything else another serial number") {
  const Bom one{"0.1", 5, false, {skill("a/x"), skill("b/y")}, {}};
  const Bom other{"0.1", 5, false, {skill("b/y"), skill("a/x")}, {}};
  CHECK(cycloneDx(one).dump() == cycloneDx(other).dump());
  Bom later = one;
  later.made = 6;
  CHECK(cycloneDx(later).at("serialNumber") == cycloneDx(one).at("serialNumber"));
  CHECK(cycloneDx(later).at("metadata").at("timestamp") == "1970-01-01T00:00:06Z");
  Bom changed = one;
  changed.skills.front().digest = std::string(64, 'e');
  CHECK(cycloneDx(changed).at("serialNumber") != cycloneDx(one).at("serialNumber"));
}
