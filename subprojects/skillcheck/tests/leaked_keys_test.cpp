// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skillcheck/leaked_keys.hpp"

#include <string>

using namespace skillhost;

namespace {

// Made up, and put together at run time, so that this file contains no key.
const std::string random64 = "Rk7q2ZpLx9VbT4mWcY8dHs3NfGj6Uo1EaXwKe5QiB0vTzMhJ4rCyD8nFgPu2SlOt";

std::string part(std::size_t length) {
  std::string out;
  while (out.size() < length) out += random64;
  return out.substr(0, length);
}

std::size_t count(const std::string &text) { return findLeakedKeys(text, "f").size(); }

} // namespace

TEST_CASE("keys of well-known issuers are found") {
  const std::string slack = std::string("xoxb") + "-2847561930-5938472610-" + part(24);
  const std::string keys[] = {
      std::string("AKIA") + "Q3ZV7XKM2LWR5TYB",
      std::string("ghp") + "_" + part(36),
      std::string("github") + "_pat_" + part(82),
      std::string("glpat") + "-" + part(20),
      slack,
      std::string("AIza") + part(35),
      std::string("sk-ant") + "-api03-" + part(95),
      std::string("sk-proj") + "-" + part(60),
      std::string("sk") + "-" + part(48),
      std::string("sk_live") + "_" + part(24),
      std::string("npm") + "_" + part(36),
      std::string("hf") + "_" + part(34),
      std::string("https://hooks.slack") + ".com/services/T02AB4CD8/B07XZ31QK5/" + part(24),
      std::string("-----BEGIN RSA ") + "PRIVATE KEY-----\n" + random64 + "\n" + random64 + "\n",
      std::string("\"-----BEGIN ") + "PRIVATE KEY-----\\n" + random64 + "\\n",
      std::string("-----BEGIN ENCRYPTED ") + "PRIVATE KEY-----\n" + random64 + "\n",
      std::string("-----BEGIN RSA ") + "PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n" +
          "DEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF\n\n" + random64 + "\n",
      std::string("-----BEGIN RSA ") + "PRIVATE KEY-----\\nProc-Type: 4,ENCRYPTED\\n\\n" + random64,
      std::string("-----BEGIN PGP ") + "PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n" + random64,
      std::string("-----BEGIN PGP ") + "PRIVATE KEY BLOCK-----\n\n" + random64 + "\n",
  };
  for (const std::string &key : keys) {
    INFO(key);
    CHECK(count("key: " + key + "\n") == 1);
    CHECK(count("Use `" + key + "`.") == 1);
  }
}

TEST_CASE("a finding says where, and never what") {
  const std::string key = std::string("ghp") + "_" + part(36);
  const std::vector<Finding> found = findLeakedKeys("a\n\xC3\xBC = " + key + " and more\n", "f.sh");
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::Error);
  CHECK(found[0].code == "leaked-key");
  CHECK((found[0].line == 2 && found[0].column == 5));
  CHECK(render(found[0]).find(part(6)) == std::string::npos);
}

TEST_CASE("only the first finding of a file is shown, and other data than text has none") {
  const std::string key = std::string("ghp") + "_" + part(36);
  const std::string shown = firstLeakedKey("a\n" + key + "\n" + key + "\n", "team/f.md");
  CHECK(shown.starts_with("team/f.md:2:"));
  CHECK(shown.find("team/f.md:3:") == std::string::npos);
  CHECK(firstLeakedKey("a\n", "team/f.md").empty());
  CHECK(firstLeakedKey(std::string("\0", 1) + key, "team/f.bin").empty());
}

TEST_CASE("placeholders and pieces of other things are no keys") {
  for (const std::string &text : {
           std::string("AKIAIOSFODNN7EXAMPLE"),
           std::string("AKIAXXXXXXXXXXXXXXXX"),
           std::string("AKIA1234567890ABCDEF"),
           std::string("sk-..."),
           std::string("sk-ant-api03-..."),
           std::string("sk-") + std::string(48, 'x'),
           std::string("ghp_") + std::string(36, 'x'),
           std::string("ghp_your_token_here"),
           std::string("ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
           std::string("AIzaSy") + std::string(33, '0'),
           std::string("AIza") + "SyA1B2C3D4E5F6G7H8I9J0K1L2M3N4O5P6Q",
           std::string("AIza-your-google-api-key-goes-in-here-0"),
           "ghp_" + part(50),
           "x" + std::string("AKIA") + "Q3ZV7XKM2LWR5TYB",
           std::string("-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n"),
           std::string("-----BEGIN PRIVATE KEY-----\nMIIE...\n"),
           std::string("-----BEGIN PUBLIC KEY-----\n") + random64,
           std::string("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n") + random64,
           std::string("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n...\n"),
           std::string(
               "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"),
           std::string("the sk-learn-estimator-with-a-very-long-name-of-forty-eight"),
       }) {
    INFO(text);
    CHECK(count(text) == 0);
  }
}
