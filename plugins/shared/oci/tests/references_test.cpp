// SPDX-License-Identifier: Apache-2.0
// Tests valid names of artefacts and texts that only look like names.
#include "catch2.hpp"
#include "mentions.hpp"
#include "oci/digest.hpp"
#include "oci/reference.hpp"

using namespace skillhost::oci;

TEST_CASE("a reference is read into its parts, and written as it was") {
  const auto tagged = readReference("Registry.Example:5000/team/a.b__c--d:1.2_x");
  REQUIRE(tagged);
  CHECK(tagged->registry == "registry.example:5000");
  CHECK(tagged->repository == "team/a.b__c--d");
  CHECK(tagged->tag == "1.2_x");
  CHECK(tagged->manifest() == "1.2_x");
  CHECK(tagged->text() == "registry.example:5000/team/a.b__c--d:1.2_x");
  CHECK(tagged->origin(false) == "https://registry.example:5000");
  CHECK(tagged->origin(true) == "http://registry.example:5000");

  const auto exact = readReference("localhost/a@sha256:" + digits64);
  REQUIRE(exact);
  CHECK(exact->tag.empty());
  CHECK(exact->manifest() == "sha256:" + digits64);

  const auto both = readReference("[::1]:5000/a/b:v1@sha512:" + digits64 + digits64);
  REQUIRE(both);
  CHECK(both->tag == "v1");
  CHECK(both->manifest() == "sha512:" + digits64 + digits64);
  CHECK(both->text() == "[::1]:5000/a/b:v1@sha512:" + digits64 + digits64);

  CHECK(readReference("ghcr.io/a/b")->tag == "latest");
  CHECK(readReference("docker.io/library/a:1")->origin(false) == "https://registry-1.docker.io");
}

TEST_CASE("what is no reference is none") {
  for (const std::string &text : {std::string(),
                                  std::string("skill"),
                                  std::string("team/skill:1"),
                                  std::string("a.b/"),
                                  std::string("a.b/Team/skill"),
                                  std::string("a.b/a//b"),
                                  std::string("a.b/a..b"),
                                  std::string("a.b/a___b"),
                                  std::string("a.b/-a"),
                                  std::string("a.b/a-"),
                                  std::string("a.b/a:"),
                                  std::string("a.b/a:-1"),
                                  std::string("a.b/a:") + std::string(129, '1'),
                                  std::string("a.b/../c"),
                                  std::string("user@a.b/c"),
                                  std::string("a.b/c@sha256:12"),
                                  std::string("a.b/c@md5:") + digits64,
                                  "a.b/c@sha256:" + std::string(64, 'A'),
                                  std::string("https://a.b/c:1"),
                                  std::string("a.b:x/c"),
                                  std::string("a.b/c d"),
                                  std::string("a.b?x/c"),
                                  std::string("a.b/c:1/d"),
                                  "a.b/" + std::string(300, 'a')}) {
    INFO(text);
    CHECK_FALSE(readReference(text));
  }
  CHECK_FALSE(readRepository("a.b/c:1"));
  CHECK(readRepository("a.b/c"));
}

TEST_CASE("this machine is not what is called like it") {
  for (const char *const here :
       {"localhost", "localhost:5000", "127.0.0.1:80", "[::1]", "[::1]:5000"})
    CHECK(isThisMachine(here));
  for (const char *const elsewhere :
       {"localhost.example", "127.0.0.1.example", "127.0.0.10", "a.b"})
    CHECK_FALSE(isThisMachine(elsewhere));
}

TEST_CASE("digests vouch for bytes") {
  CHECK(isDigestOf(sha256Digest("abc"), "abc"));
  CHECK_FALSE(isDigestOf(sha256Digest("abc"), "abd"));
  const std::string other =
      "sha512:ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";
  CHECK(isDigest(other));
  CHECK(isDigestOf(other, "abc"));
  CHECK_FALSE(isDigestOf(other, "abd"));
  CHECK_FALSE(isDigest("sha256:" + digits64 + digits64));
  CHECK_FALSE(isDigest("sha512:" + digits64));
  CHECK_FALSE(isDigest(digits64));
}
