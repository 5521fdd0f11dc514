// SPDX-License-Identifier: Apache-2.0
// Tests the statements that cosign signs, and trusted keys.
#include "catch2.hpp"
#include "ground/json.hpp"
#include "mentions.hpp"
#include "oci/cosign.hpp"
#include "temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

using namespace skillhost;
using namespace skillhost::oci;

namespace {

const std::string publicKey = "-----BEGIN PUBLIC KEY-----\n"
                              "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAExtA+LWCI1ZNKEOl9Z1afV0QiYHAf\n"
                              "UzYBXQv/JF5OtMXacgp6ewxezz/oDhUVzdXc6iN08Uob6QSzYX33uD1eOg==\n"
                              "-----END PUBLIC KEY-----\n";

Json statement(const std::string &digest, const std::string &repository) {
  return {{"critical",
           {{"identity", {{"docker-reference", repository}}},
            {"image", {{"docker-manifest-digest", digest}}},
            {"type", "cosign container image signature"}}},
          {"optional", nullptr}};
}

std::string refusedStatement(const std::string &text) {
  try {
    readStatement(text);
    return "taken";
  } catch (const ContentError &error) {
    return error.what();
  }
}

std::string refusedKey(const std::string &written) {
  try {
    return "taken " + readTrustedKey(written, "trusted_keys[3]").name;
  } catch (const std::runtime_error &error) {
    return error.what();
  }
}

} // namespace

TEST_CASE("a statement names the digest and the repository that were signed") {
  const SignedStatement read = readStatement(statement("sha256:" + digits64, "a.b/team/x").dump());
  CHECK(read.digest == "sha256:" + digits64);
  CHECK(read.repository == "a.b/team/x");
}

TEST_CASE("a statement that is none is refused") {
  const std::string right = statement("sha256:" + digits64, "a.b/x").dump();
  REQUIRE(refusedStatement(right) == "taken");
  CHECK(mentions(refusedStatement("[]"), "critical"));
  CHECK(mentions(refusedStatement("{"), "critical"));
  CHECK(mentions(refusedStatement(R"({"critical":[]})"), "critical"));
  CHECK(mentions(refusedStatement(R"({"critical":{}})"), "kind"));
  CHECK(mentions(refusedStatement(statement("", "a.b/x").dump()), "digest"));
  CHECK(mentions(refusedStatement(statement("sha256:12", "a.b/x").dump()), "digest"));
  Json other = statement("sha256:" + digits64, "a.b/x");
  other["critical"]["type"] = "something else";
  CHECK(mentions(refusedStatement(other.dump()), "something else"));
  // Two programs could read a repeated member differently.
  std::string twice = right;
  twice.insert(1, R"("critical":{},)");
  CHECK(mentions(refusedStatement(twice), "critical"));
  CHECK(mentions(refusedStatement(right + std::string(maxStatementBytes, ' ')), "65536"));
}

TEST_CASE("a statement is about the repository that it names, and about all when it names none") {
  const Reference where = *readReference("a.b/team/x:1");
  const auto isAboutIt = [&](const std::string &repository) {
    return isAbout({"", repository}, where);
  };
  for (const char *const same : {"", "a.b/team/x", "a.b/team/x:2", "a.b/team/x@sha256:0"})
    CHECK(isAboutIt(same));
  for (const char *const other :
       {"a.b/team/xy", "a.b/team", "a.b/team/x/y", "c.d/team/x", "team/x"})
    CHECK_FALSE(isAboutIt(other));
  CHECK(isAbout({"", "index.docker.io/library/x"}, *readReference("docker.io/library/x")));
}

TEST_CASE("a trusted key is a text or a file") {
  CHECK(refusedKey(publicKey) == "taken trusted_keys[3]");
  CHECK(mentions(refusedKey("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"),
                 "trusted_keys[3]"));
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/cosign.pub";
  CHECK(mentions(refusedKey(file), file + ": this file"));
  std::ofstream(file) << publicKey;
  CHECK(refusedKey(file) == "taken " + file);
  std::ofstream(file) << "-----BEGIN PRIVATE KEY-----\n";
  CHECK(mentions(refusedKey(file), "P-256"));
}
