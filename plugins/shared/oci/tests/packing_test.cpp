// SPDX-License-Identifier: Apache-2.0
// A packed skill must always have the same bytes, and reading it must give the same files.
#include "archive/packed.hpp"
#include "catch2.hpp"
#include "ground/json.hpp"
#include "mentions.hpp"
#include "oci/digest.hpp"
#include "oci/loading.hpp"
#include "oci/packing.hpp"
#include "oci/toolhive.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

using namespace skillhost;
using namespace skillhost::oci;

namespace {

const SkillWords words{"pdf", "Reads PDF.", "1.2", "MIT", {"Read", "Bash"}};

std::vector<archive::PackedFile> files() {
  return {{"SKILL.md", "---\nname: pdf\n---\n", false},
          {"a/run.sh", "#!/bin/sh\n", true},
          {"z.txt", std::string(3'000, 'z'), false}};
}

// Returns the parts as a registry would, only by their digest.
class Kept final : public ArtefactParts {
public:
  explicit Kept(const PackedSkill &packed) {
    const auto add = [this](const Part &part) { parts_[part.descriptor.digest] = part; };
    std::for_each(packed.blobs.begin(), packed.blobs.end(), add);
    std::for_each(packed.manifests.begin(), packed.manifests.end(), add);
    add(packed.index);
  }
  FetchedManifest manifest(const std::string &digest) override {
    const Part &part = parts_.at(digest);
    return {digest, part.bytes, part.descriptor.mediaType};
  }
  std::string layer(const Descriptor &descriptor) override { return bytesOf(descriptor); }
  std::string configuration(const Descriptor &descriptor, std::uint64_t /*most*/) override {
    return bytesOf(descriptor);
  }

private:
  std::string bytesOf(const Descriptor &descriptor) const {
    const Part &part = parts_.at(descriptor.digest);
    REQUIRE(part.descriptor.size == descriptor.size);
    REQUIRE(isDigestOf(descriptor.digest, part.bytes));
    return part.bytes;
  }
  std::map<std::string, Part> parts_;
};

std::string refusedPacking(std::vector<archive::PackedFile> all) {
  try {
    packSkill(words, std::move(all));
    return "taken";
  } catch (const std::runtime_error &error) {
    return error.what();
  }
}

} // namespace

TEST_CASE("what is packed is read again as it was") {
  const PackedSkill packed = packSkill(words, files());
  Kept kept(packed);
  const LoadedArtefact loaded = loadArtefact(kept, packed.index.descriptor.digest, {}, {});
  CHECK(loaded.found.findings.empty()); // the labels match the layer
  REQUIRE(loaded.found.skills.size() == 1);
  CHECK(loaded.found.skills[0].folder.empty());
  const auto &there = loaded.found.skills[0].files;
  REQUIRE(there.size() == 3);
  for (std::size_t i = 0; i < there.size(); ++i) {
    CHECK(there[i].path == files()[i].path);
    CHECK(there[i].bytes == files()[i].bytes);
    CHECK(there[i].executable == files()[i].executable);
  }
}

TEST_CASE("the same skill is the same digest, in whatever order its files come") {
  const std::string digest = packSkill(words, files()).index.descriptor.digest;
  std::vector<archive::PackedFile> reversed = files();
  std::reverse(reversed.begin(), reversed.end());
  CHECK(packSkill(words, reversed).index.descriptor.digest == digest);
  std::vector<archive::PackedFile> other = files();
  other[1].executable = false;
  CHECK(packSkill(words, other).index.descriptor.digest != digest);
  SkillWords newer = words;
  newer.version = "1.3";
  CHECK(packSkill(newer, files()).index.descriptor.digest != digest);
}

TEST_CASE("an artefact has the form of ToolHive's") {
  const PackedSkill packed = packSkill(words, files());
  const Manifest top = readManifest(packed.index.bytes, "");
  CHECK(top.isIndex);
  CHECK(top.artifactType == toolhive::artifactType);
  REQUIRE(top.manifests.size() == 2);
  CHECK(top.manifests[0].platform == "linux/amd64");
  CHECK(top.manifests[1].platform == "linux/arm64");
  REQUIRE(packed.blobs.size() == 3);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(top.manifests[i].digest == packed.manifests[i].descriptor.digest);
    const Manifest one = readManifest(packed.manifests[i].bytes, "");
    CHECK(one.artifactType == toolhive::artifactType);
    CHECK(one.annotations.at(toolhive::name) == "pdf");
    REQUIRE(one.layers.size() == 1);
    CHECK(one.layers[0].digest == packed.blobs[0].descriptor.digest);
    CHECK(one.layers[0].annotations.at(titleAnnotation) == "skill.tar.gz");
    CHECK(one.config.digest == packed.blobs[i + 1].descriptor.digest);
    const auto labels = readLabels(packed.blobs[i + 1].bytes);
    CHECK(labels.at(toolhive::version) == "1.2");
    CHECK(labels.at(toolhive::allowedTools) == R"(["Read","Bash"])");
    CHECK(labels.at(toolhive::files) == R"(["SKILL.md","a/run.sh","z.txt"])");
    // A runtime unpacks the layer and compares this digest.
    const Json config = Json::parse(packed.blobs[i + 1].bytes);
    CHECK(config["rootfs"]["diff_ids"][0] == sha256Digest(archive::writeUnpacked(files())));
  }
}

TEST_CASE("what could not be read again is not packed") {
  std::vector<archive::PackedFile> all = files();
  all.erase(all.begin());
  CHECK(mentions(refusedPacking(all), "SKILL.md"));
  all = files();
  all.push_back({"folder/.wh.a", "x", false});
  CHECK(mentions(refusedPacking(all), ".wh."));
  all = files();
  all.push_back({std::string(300, 'd') + "/" + std::string(300, 'f'), "x", false});
  CHECK(mentions(refusedPacking(all), "too long a path"));
  all = files();
  all.push_back({"skill.MD", "x", false});
  CHECK(mentions(refusedPacking(all), "only in case"));
  SkillWords latin = words;
  latin.description = "\xe9";
  CHECK_THROWS_AS(packSkill(latin, files()), std::runtime_error);
}
