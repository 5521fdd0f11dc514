// SPDX-License-Identifier: Apache-2.0
// Tests documents of registries: manifests, indexes, labels and tags.
#include "catch2.hpp"
#include "mentions.hpp"
#include "oci/manifest.hpp"

using namespace skillhost::oci;

namespace {

const std::string indexType = "application/vnd.oci.image.index.v1+json";
const std::string manifest = "application/vnd.oci.image.manifest.v1+json";

std::string descriptor(const std::string &more = "", char digit = 'a') {
  return R"({"mediaType":"x","size":5,"digest":"sha256:)" + std::string(64, digit) + '"' + more +
         "}";
}

std::string platform(const std::string &os, const std::string &architecture, char digit) {
  return descriptor(R"(,"platform":{"os":")" + os + R"(","architecture":")" + architecture + "\"}",
                    digit);
}

std::string refused(const std::string &text, const std::string &type) {
  try {
    readManifest(text, type);
    return "taken";
  } catch (const ContentError &error) {
    return error.what();
  }
}

} // namespace

TEST_CASE("a manifest and an index are told apart, by what they say and then by the head") {
  const Manifest one = readManifest(R"({"config":)" + descriptor() + R"(,"layers":[)" +
                                        descriptor(R"(,"annotations":{"a":"b"})") + "]}",
                                    manifest + "; charset=utf-8");
  CHECK_FALSE(one.isIndex);
  REQUIRE(one.layers.size() == 1);
  CHECK(one.layers[0].size == 5);
  CHECK(one.layers[0].annotations.at("a") == "b");

  const Manifest many =
      readManifest(R"({"mediaType":")" + indexType + R"(","artifactType":"t","manifests":[)" +
                       descriptor() + "]}",
                   manifest); // the type in the document takes precedence
  CHECK(many.isIndex);
  CHECK(many.artifactType == "t");
  REQUIRE(many.manifests.size() == 1);

  for (const char *const docker : {"application/vnd.docker.distribution.manifest.v2+json",
                                   "application/vnd.docker.distribution.manifest.list.v2+json"})
    CHECK(refused(docker == std::string("application/vnd.docker.distribution.manifest.v2+json")
                      ? R"({"config":)" + descriptor() + R"(,"layers":[]})"
                      : R"({"manifests":[]})",
                  docker) == "taken");
}

TEST_CASE("a manifest that is wrong is refused, with the place") {
  CHECK(mentions(refused("[]", manifest), "JSON object"));
  CHECK(mentions(refused(R"({"layers":[],"layers":[]})", manifest), "JSON object"));
  CHECK(mentions(refused("{}", "text/html"), "kind that is not known"));
  CHECK(mentions(refused(R"({"layers":[]})", manifest), "\"config\""));
  CHECK(mentions(refused(R"({"config":)" + descriptor() + "}", manifest), "\"layers\""));
  CHECK(mentions(
      refused(R"({"manifests":[],"config":)" + descriptor() + R"(,"layers":[]})", manifest),
      "at once"));
  CHECK(mentions(refused(R"({"manifests":[],"layers":[]})", indexType), "at once"));
  CHECK(mentions(refused(R"({"manifests":[3]})", indexType), "manifests[0]: is no object"));
  CHECK(mentions(refused(R"({"manifests":[{"digest":"md5:1","size":1}]})", indexType),
                 "manifests[0].digest"));
  for (const char *const size : {"-1", "1.5", "\"1\"", "99999999999999999999"})
    CHECK(mentions(refused(R"({"manifests":[{"digest":"sha256:)" + std::string(64, '0') +
                               R"(","size":)" + size + "}]}",
                           indexType),
                   "manifests[0].size"));
  std::string list = R"({"manifests":[)";
  for (int i = 0; i < 10'000; ++i) list += descriptor() + ",";
  list.back() = ']';
  CHECK(mentions(refused(list + "}", indexType), "10000 manifests, and there may be 1024"));
}

TEST_CASE("of several platforms linux/amd64 is taken, and no attestation") {
  const auto chosen = [](const std::string &entries) {
    std::string digits;
    for (const Descriptor &one :
         candidates(readManifest(R"({"manifests":[)" + entries + "]}", indexType)))
      digits += one.digest.back();
    return digits;
  };
  CHECK(chosen(platform("linux", "arm64", '1') + "," + platform("linux", "amd64", '2')) == "2");
  CHECK(chosen(platform("linux", "arm64", '1') + "," + platform("unknown", "unknown", '2')) == "1");
  CHECK(chosen(platform("linux", "arm64", '1') + "," + platform("windows", "amd64", '2')) == "12");
  CHECK(chosen(descriptor("", '7')) == "7");
  CHECK(chosen(descriptor(R"(,"annotations":{"vnd.docker.reference.type":"x"})")).empty());
}

TEST_CASE("layers are known by their media type, files by their title") {
  const auto kind = [](const std::string &type, const std::string &title) {
    Descriptor layer;
    layer.mediaType = type;
    if (!title.empty()) layer.annotations[titleAnnotation] = title;
    return kindOf(layer);
  };
  for (const char *const type :
       {"application/vnd.oci.image.layer.v1.tar", "application/vnd.oci.image.layer.v1.tar+gzip",
        "application/vnd.oci.image.layer.v1.tar+zstd",
        "application/vnd.docker.image.rootfs.diff.tar.gzip"})
    CHECK(kind(type, "") == LayerKind::tar);
  CHECK(kind("text/markdown", "SKILL.md") == LayerKind::file);
  CHECK(kind("text/markdown", "") == LayerKind::other);
}

TEST_CASE("labels, tags and links") {
  CHECK(readLabels(R"({"config":{"Labels":{"a":"b","c":3}}})").at("a") == "b");
  CHECK(readLabels(R"({"config":{"Labels":null}})").empty());
  CHECK(readLabels("{}").empty());
  CHECK_THROWS_AS(readLabels("["), ContentError);
  CHECK(readTags(R"({"name":"a","tags":["v1","../x",3,"b"]})") ==
        std::vector<std::string>{"v1", "b"});
  CHECK(readTags(R"({"tags":null})").empty());
  CHECK_THROWS_AS(readTags("{}"), ContentError);
  CHECK(nextLink(R"(</v2/a/tags/list?last=b&n=2>; rel="next")") == "/v2/a/tags/list?last=b&n=2");
  CHECK(nextLink(R"(</v2/a>; rel="prev")").empty());
  CHECK(nextLink("><").empty());
  CHECK(nextLink("").empty());
}

TEST_CASE("a refusal is told in the registry's words, as far as they can be shown") {
  CHECK(readComplaint(R"({"errors":[{"code":"DENIED","message":"full\u001b[1m"},{"code":"x"}]})") ==
        "DENIED, full\\x1b[1m");
  CHECK(readComplaint(R"({"errors":[{"code":"DENIED"}]})") == "DENIED");
  CHECK(readComplaint(R"({"errors":[{"message":")" + std::string(9'999, 'x') + "\"}]}").size() ==
        200);
  for (const char *const none : {"", "<html>", "{}", R"({"errors":[]})", R"({"errors":[3]})"})
    CHECK(readComplaint(none).empty());
}
