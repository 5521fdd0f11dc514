// SPDX-License-Identifier: Apache-2.0
// Tests challenges, tokens and Docker's file of logins.
#include "catch2.hpp"
#include "mentions.hpp"
#include "oci/challenge.hpp"
#include "oci/credentials.hpp"

#include <stdexcept>

using namespace skillhost::oci;

namespace {

// Returns the login as "user/secret", or "docker-credential-NAME for SERVER".
std::string whyNot(const std::string &text, const std::string &registry = "a.b",
                   const std::string &repository = "team/pdf",
                   const AllowedHelpers &allowed = {{}, "docker_helpers"}) {
  try {
    const Login login = loginFrom(text, registry, repository, allowed);
    if (!login.helper.empty()) return "docker-credential-" + login.helper + " for " + login.server;
    const Credentials &read = login.credentials;
    return read.empty() ? "nobody" : read.user + (read.isIdentity ? "<token>/" : "/") + read.secret;
  } catch (const std::runtime_error &error) {
    return error.what();
  }
}

} // namespace

TEST_CASE("a challenge is read, whatever stands beside it") {
  const Challenge bearer = readChallenge(
      R"(Bearer realm="https://a.b/token?x=1,2",service="a \"b\"",scope="repository:x:pull,push")");
  CHECK(bearer.scheme == Scheme::bearer);
  CHECK(bearer.realm == "https://a.b/token?x=1,2");
  CHECK(bearer.service == "a \"b\"");
  CHECK(readChallenge("basic REALM=x").scheme == Scheme::basic);
  const Challenge second =
      readChallenge(R"(Negotiate, Basic realm="x", bearer realm = "https://c.d/")");
  CHECK(second.scheme == Scheme::bearer);
  CHECK(second.realm == "https://c.d/");
  CHECK(readChallenge("Negotiate").scheme == Scheme::none);
  CHECK(readChallenge("Bearer").scheme == Scheme::none); // there is no authority to ask
  CHECK(readChallenge("").scheme == Scheme::none);
  CHECK(readChallenge("Bearer realm=\"https://a.b").realm == "https://a.b");
  CHECK(readChallenge("\"").scheme == Scheme::none);
}

TEST_CASE("a token may stand in a header, and lasts a day at most") {
  CHECK(readToken(R"({"token":"abc"})")->text == "abc");
  CHECK(readToken(R"({"token":"abc"})")->lasts.count() == 60);
  CHECK(readToken(R"({"access_token":"abc","expires_in":300})")->lasts.count() == 300);
  CHECK(readToken(R"({"token":"abc","expires_in":-5})")->lasts.count() == 0);
  CHECK(readToken(R"({"token":"abc","expires_in":1e9})")->lasts.count() <= 86'400);
  CHECK(readToken(R"({"token":"abc","expires_in":999999999})")->lasts.count() == 86'400);
  for (const char *const bad : {"", "{}", R"({"token":""})", R"({"token":3})",
                                R"({"token":"a\r\nb"})", R"({"token":"a b"})", "[]"})
    CHECK_FALSE(readToken(bad));
}

TEST_CASE("logins are those of the registry, and no program is run for them") {
  CHECK(whyNot(R"({"auths":{"a.b":{"auth":"dXNlcjpzM2NyZXQ6eA=="}}})") == "user/s3cret:x");
  CHECK(whyNot(R"({"auths":{"https://a.b":{"username":"u","password":"p"}}})") == "u/p");
  CHECK(whyNot(R"({"auths":{"c.d":{"auth":"dXNlcjpz"}}})") == "nobody");
  CHECK(whyNot(R"({"auths":{"https://index.docker.io/v1/":{"auth":"dTpw"}}})", "docker.io") ==
        "u/p");
  CHECK(whyNot("{}") == "nobody");
  CHECK(whyNot(R"({"auths":{"https://a.b/v1/":{"auth":"dTpw"}}})") == "u/p");
  CHECK(whyNot(R"({"auths":{"https://a.b.c/v1/":{"auth":"dTpw"}}})") == "nobody");
  CHECK(mentions(whyNot(R"({"credHelpers":{"a.b":"secretservice"}})"),
                 "docker-credential-secretservice"));
  CHECK(whyNot(R"({"credHelpers":{"c.d":"secretservice"}})") == "nobody");
  CHECK(mentions(whyNot(R"({"credsStore":"pass","auths":{"a.b":{}}})"), "credsStore"));
  CHECK(whyNot(R"({"credsStore":"pass","auths":{"c.d":{}}})") == "nobody");
  CHECK(whyNot(R"({"auths":{"a.b":{"auth":"dTo=","identitytoken":"t"}}})") == "<token>/t");
  const std::string split = whyNot(R"({"auths":{"a.b":{"identitytoken":"s3cret\r\nX: y"}}})");
  CHECK(mentions(split, "control characters"));
  CHECK_FALSE(mentions(split, "s3cret"));
  // A login in the file takes precedence over one that a program may have.
  CHECK(whyNot(R"({"credHelpers":{"a.b":"gcr"},"auths":{"a.b":{"auth":"dTpw"}}})") == "u/p");
  const std::string broken = whyNot(R"({"auths":{"a.b":{"auth":"s3cret!"}}})");
  CHECK(mentions(broken, "base64"));
  CHECK_FALSE(mentions(broken, "s3cret"));
  CHECK(mentions(whyNot("["), "JSON"));
}

TEST_CASE("of keys with a path the longest that the repository is in counts") {
  const std::string podman = R"({"auths":{"a.b":{"auth":"dTpw"},"a.b/team":{"auth":"dDp0"},
      "a.b/team/pdf/deep":{"auth":"ZDpk"}}})";
  CHECK(whyNot(podman, "a.b", "team/pdf") == "t/t");
  CHECK(whyNot(podman, "a.b", "team/pdf/deep") == "d/d");
  CHECK(whyNot(podman, "a.b", "teams/pdf") == "u/p");
  CHECK(whyNot(podman, "a.b", "other") == "u/p");
  CHECK(whyNot(podman, "a", "b/team/pdf") == "nobody");
  CHECK(whyNot(R"({"auths":{"https://a.b":{"auth":"ZDpk"},"a.b":{"auth":"dTpw"}}})") == "u/p");
  CHECK(mentions(whyNot(R"({"credHelpers":{"a.b/team":"gcr"}})"), "docker-credential-gcr"));
}

TEST_CASE("a program counts by its key as a login does") {
  const auto helper = [](const std::string &key, const std::string &more = "") {
    return R"({"credHelpers":{")" + key + R"(":"gcr"})" + more + "}";
  };
  for (const char *const key : {"a.b", "a.b/", "A.B", "https://a.b", "https://a.b/v2/",
                                "http://A.B:443", "a.b:443/team", "a.b/team/pdf"})
    CHECK(mentions(whyNot(helper(key)), "docker-credential-gcr"));
  CHECK(mentions(whyNot(helper("a.b:5000/team"), "a.b:5000"), "docker-credential-gcr"));
  CHECK(mentions(whyNot(helper("https://a.b:5000"), "a.b:5000"), "docker-credential-gcr"));
  for (const char *const key : {"a.b:5000", "a.b/other", "a.b/team/pdf/deep", "https://a.b.c"})
    CHECK(whyNot(helper(key)) == "nobody");
  // The login is for the whole registry, and the program is for this part of it.
  const std::string login = R"(,"auths":{"a.b":{"auth":"dTpw"}})";
  CHECK(mentions(whyNot(helper("a.b/team", login)), "docker-credential-gcr"));
  CHECK(whyNot(helper("a.b/team", login), "a.b", "other") == "u/p");
  CHECK(whyNot(helper("https://a.b", login)) == "u/p");
  CHECK(whyNot(helper("a.b", R"(,"auths":{"a.b/team":{"auth":"dTpw"}})")) == "u/p");
}

TEST_CASE("a registry has one login, however its name is written") {
  for (const char *const key : {"docker.io", "index.docker.io", "registry-1.docker.io",
                                "https://registry-1.docker.io/v2/", "HTTPS://Index.Docker.IO/v1/"})
    CHECK(whyNot(R"({"auths":{")" + std::string(key) + R"(":{"auth":"dTpw"}}})", "docker.io") ==
          "u/p");
  CHECK(whyNot(R"({"auths":{"https://a.b:443/v1/":{"auth":"dTpw"}}})") == "u/p");
  CHECK(whyNot(R"({"auths":{"A.b":{"auth":"dTpw"}}})", "a.b:443") == "u/p");
  CHECK(whyNot(R"({"auths":{"a.b:80":{"auth":"dTpw"}}})") == "nobody");
}

TEST_CASE("only helpers that are named may keep a login") {
  const auto keptBy = [](const std::string &text, const std::string &registry = "a.b") {
    return whyNot(text, registry, "team/pdf", {{"pass", "ecr-login"}, "docker_helpers"});
  };
  CHECK(keptBy(R"({"credHelpers":{"a.b":"ecr-login"}})") == "docker-credential-ecr-login for a.b");
  CHECK(keptBy(R"({"credHelpers":{"https://a.b:5000":"pass"}})", "a.b:5000") ==
        "docker-credential-pass for a.b:5000");
  CHECK(mentions(keptBy(R"({"credHelpers":{"a.b":"gcr"}})"),
                 "docker-credential-gcr, which is only run if docker_helpers names it"));
  // Docker asks its store for every registry.
  CHECK(keptBy(R"({"credsStore":"pass"})") == "docker-credential-pass for a.b");
  CHECK(keptBy(R"({"credsStore":"gcr"})") == "nobody");
  CHECK(mentions(keptBy(R"({"credsStore":"gcr","auths":{"a.b":{}}})"), "docker_helpers"));
  CHECK(keptBy(R"({"credsStore":"pass","credHelpers":{"a.b":"ecr-login"}})") ==
        "docker-credential-ecr-login for a.b");
  CHECK(keptBy(R"({"credsStore":"pass","auths":{"a.b":{"auth":"dTpw"}}})") == "u/p");
  CHECK(keptBy(R"({"credsStore":"pass"})", "docker.io") ==
        "docker-credential-pass for https://index.docker.io/v1/");
  for (const char *const bad : {"", "../pass", "a b", "Pass", "a/b", "pass;id", "desktop.exe"})
    CHECK_FALSE(isHelperName(bad));
  CHECK(isHelperName("ecr-login"));
}
