// SPDX-License-Identifier: Apache-2.0
// Tests stacked layers and the skills in them.
#include "archive/packed.hpp"
#include "archive/tar.hpp"
#include "catch2.hpp"
#include "mentions.hpp"
#include "oci/skills.hpp"

#include <cstdio>
#include <stdexcept>

#include <zstd.h>

using namespace skillhost;

namespace {

const oci::SkillLimits roomy{};

// Builds one ustar header with its content, for entries that our own writer never makes.
std::string entry(const std::string &path, char type, const std::string &target = "",
                  const std::string &content = "", std::size_t size = std::string::npos) {
  std::string head(512, '\0');
  head.replace(0, path.size(), path);
  head.replace(100, 7, "0000644");
  char octal[16];
  std::snprintf(octal, sizeof octal, "%011zo", size == std::string::npos ? content.size() : size);
  head.replace(124, 11, octal);
  head.replace(136, 11, "00000000000");
  head[156] = type;
  head.replace(157, target.size(), target);
  head.replace(257, 8,
               std::string("ustar\0"
                           "00",
                           8));
  head.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : head) sum += static_cast<unsigned char>(c);
  std::snprintf(octal, sizeof octal, "%06o", sum);
  head.replace(148, 7, std::string(octal, 7));
  std::string padded = content;
  padded.resize((content.size() + 511) / 512 * 512);
  return head + padded;
}

std::string archiveOf(std::initializer_list<std::string> entries) {
  std::string all;
  for (const std::string &one : entries) all += one;
  return all + std::string(1'024, '\0');
}

std::string file(const std::string &path, const std::string &content) {
  return entry(path, '0', "", content);
}

// Builds a sparse file of `hole` bytes and one more, of which the archive only holds the last
// (GNU's old form).
std::string withHole(const std::string &path, std::size_t hole) {
  std::string all = entry(path, 'S', "", "x");
  char octal[16];
  const auto put = [&](std::size_t at, std::size_t number) {
    std::snprintf(octal, sizeof octal, "%011zo", number);
    all.replace(at, 12, std::string(octal, 12));
  };
  all.replace(257, 8, std::string("ustar  \0", 8));
  put(386, hole);
  put(398, 1);
  put(483, hole + 1);
  all.replace(148, 8, "        ");
  unsigned sum = 0;
  for (std::size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(all[i]);
  std::snprintf(octal, sizeof octal, "%06o", sum);
  all.replace(148, 7, std::string(octal, 7));
  return all;
}

std::string zstdOf(const std::string &bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 19));
  return out;
}

oci::FoundSkills found(const std::vector<std::string> &archives,
                       const oci::SkillLimits &limits = roomy) {
  std::vector<archive::Layer> layers;
  for (const std::string &one : archives) layers.push_back({one, {}});
  return oci::findSkills(layers, limits);
}

std::string shown(const oci::FoundSkills &skills) {
  std::string out;
  for (const oci::FoundSkill &skill : skills.skills) {
    out += "[" + skill.folder + "]";
    for (const archive::PackedFile &one : skill.files) out += " " + one.path + "=" + one.bytes;
  }
  return out;
}

std::string refused(const std::vector<std::string> &archives,
                    const oci::SkillLimits &limits = roomy) {
  try {
    const oci::FoundSkills skills = found(archives, limits);
    return skills.findings.empty() ? "taken: " + shown(skills) : skills.findings.front();
  } catch (const std::runtime_error &error) {
    return std::string("as a whole: ") + error.what();
  }
}

} // namespace

TEST_CASE("a skill at the root, and several in folders, packed in three ways") {
  const std::string plain = archiveOf({file("SKILL.md", "a"), file("notes/n.md", "b")});
  CHECK(shown(found({plain})) == "[] SKILL.md=a notes/n.md=b");
  CHECK(shown(found({zstdOf(plain)})) == "[] SKILL.md=a notes/n.md=b");
  CHECK(shown(found({archive::writePacked({{"x/SKILL.md", "a", false},
                                           {"y/z/SKILL.md", "b", false},
                                           {"y/z/s.sh", "c", true},
                                           {"other/file", "d", false}})})) ==
        "[x] SKILL.md=a[y/z] SKILL.md=b s.sh=c");
  // The file belongs to the nearest folder.
  CHECK(shown(found({archiveOf({file("SKILL.md", "a"), file("in/SKILL.md", "b"), file("in/f", "c"),
                                file("f", "d")})})) == "[] SKILL.md=a f=d[in] SKILL.md=b f=c");
  CHECK(found({archive::writePacked({{"SKILL.md", "", false}, {"r.sh", "", true}})})
            .skills[0]
            .files[1]
            .executable);
}

TEST_CASE("layers are laid over each other") {
  const std::string low = archiveOf(
      {file("s/SKILL.md", "1"), file("s/a", "1"), file("s/d/b", "1"), file("s/d/c", "1")});
  CHECK(shown(found({low, archiveOf({file("s/a", "2")})})) == "[s] SKILL.md=1 a=2 d/b=1 d/c=1");
  CHECK(shown(found({low, archiveOf({file("s/.wh.a", ""), file("s/d/.wh.b", "")})})) ==
        "[s] SKILL.md=1 d/c=1");
  CHECK(shown(found({low, archiveOf({file("s/.wh.d", "")})})) == "[s] SKILL.md=1 a=1");
  // Entries added in the same layer stay, whether the mark is before or after them.
  CHECK(shown(found({low, archiveOf({file("s/d/new", "2"), file("s/d/.wh..wh..opq", "")})})) ==
        "[s] SKILL.md=1 a=1 d/new=2");
  CHECK(shown(found({low, archiveOf({file("s/d", "a file")})})) == "[s] SKILL.md=1 a=1 d=a file");
  CHECK(shown(found({low, archiveOf({file("s/a/x", "2")})})) == "[s] SKILL.md=1 a/x=2 d/b=1 d/c=1");
  CHECK(shown(found({low, archiveOf({entry("s/a/", '5')})})) == "[s] SKILL.md=1 d/b=1 d/c=1");
  CHECK(shown(found({low, archiveOf({file(".wh.s", "")})})).empty());
  CHECK(shown(found({low, archiveOf({file(".wh..wh..opq", "")})})).empty());
  CHECK(mentions(refused({archiveOf({file("s/.wh..", "")})}), "takes nothing away"));
}

TEST_CASE("a file by itself is a layer, too") {
  const std::string bytes = "text";
  const oci::FoundSkills skills = oci::findSkills({{bytes, "SKILL.md"}, {bytes, "a/b.md"}}, roomy);
  CHECK(shown(skills) == "[] SKILL.md=text a/b.md=text");
  for (const char *const path : {"../SKILL.md", "/SKILL.md", "a//b", "a/"})
    CHECK_THROWS_AS(oci::findSkills({{bytes, path}}, roomy), std::runtime_error);
}

TEST_CASE("links within a skill are copies, others are refused, and elsewhere nobody looks") {
  const std::string skill = file("s/SKILL.md", "1") + file("s/a", "2");
  CHECK(shown(found({archiveOf({skill, entry("s/l", '2', "a"), entry("s/h", '1', "s/a"),
                                entry("s/d/l", '2', "../l")})})) ==
        "[s] SKILL.md=1 a=2 d/l=2 h=2 l=2");
  for (const std::string &link :
       {entry("s/l", '2', "/etc/passwd"), entry("s/l", '2', "../../etc/passwd"),
        entry("s/l", '2', "none"), entry("s/l", '1', "/etc/passwd"),
        entry("s/l", '2', "../outside"), entry("s/l", '2', "l")})
    CHECK(mentions(refused({archiveOf({skill, link, file("outside", "x")})}), "\"s/l\" is a link"));
  CHECK(
      mentions(refused({archiveOf({skill, entry("s/dev", '3')})}), "neither a file nor a folder"));
  CHECK(
      mentions(refused({archiveOf({skill, entry("s/fifo", '6')})}), "neither a file nor a folder"));
  // The layer of an operating system has all of these.
  CHECK(refused({archiveOf({skill, entry("bin", '2', "/usr/bin"), entry("dev/null", '3'),
                            file("etc/a\\x2d.service", "x")})}) == "taken: [s] SKILL.md=1 a=2");
}

TEST_CASE("paths that leave the layer refuse it as a whole") {
  for (const char *const path : {"../SKILL.md", "/SKILL.md", "a/../../b", "a//b", "a/./b"})
    CHECK(mentions(refused({archiveOf({file("SKILL.md", "1"), file(path, "x")})}), "as a whole"));
  CHECK(refused({archiveOf({file("./SKILL.md", "1")})}) == "taken: [] SKILL.md=1");
  CHECK(mentions(refused({archiveOf({file("SKILL.md", "1"), file("SKILL.md", "2")})}),
                 "is there twice"));
  CHECK(mentions(refused({archiveOf({file("SKILL.md", "1"), file("a\\b", "2")})}),
                 "cannot be served"));
  CHECK(mentions(refused({archiveOf({file("SKILL.md", "1"), file("a", "2"), file("A", "3")})}),
                 "case"));
}

TEST_CASE("limits hold, of files, bytes, entries and growth") {
  oci::SkillLimits limits;
  limits.files = 2;
  CHECK(mentions(refused({archiveOf({file("SKILL.md", ""), file("a", ""), file("b", "")})}, limits),
                 "max_skill_files"));
  limits = {};
  limits.bytes = 4;
  CHECK(mentions(refused({archiveOf({file("SKILL.md", "123"), file("a", "45")})}, limits),
                 "max_skill_bytes"));
  limits = {};
  limits.entries = 2;
  CHECK(mentions(refused({archiveOf({file("SKILL.md", ""), file("a", ""), file("b", "")})}, limits),
                 "one entry more"));
  limits = {};
  limits.skills = 1;
  CHECK(mentions(refused({archiveOf({file("a/SKILL.md", ""), file("b/SKILL.md", "")})}, limits),
                 "max_skills"));
  limits = {};
  limits.unpacked = 20'000;
  CHECK(mentions(
      refused({archiveOf({file("SKILL.md", ""), file("a", std::string(30'000, 'x'))})}, limits),
      "20000 bytes"));
  // A gigabyte of zeros takes few bytes in gzip and in zstd. It must be refused before it is
  // unpacked.
  const std::string bomb =
      archiveOf({file("SKILL.md", "1"), file("b", std::string(32U << 20U, '\0'))});
  CHECK(mentions(refused({zstdOf(bomb)}), "100 times"));
  CHECK(mentions(refused({archive::writePacked(
                     {{"SKILL.md", "1", false}, {"b", std::string(32U << 20U, '\0'), false}})}),
                 "100 times"));
  // A link counts with the size of its target.
  limits = {};
  limits.bytes = 2'500;
  CHECK(mentions(refused({archiveOf({file("SKILL.md", ""), file("a", std::string(1'000, 'x')),
                                     entry("b", '2', "a"), entry("c", '2', "a")})},
                         limits),
                 "max_skill_bytes"));
  // The header states a large size, but the content is missing.
  CHECK(mentions(refused({archiveOf({file("SKILL.md", "1"), entry("a", '0', "", "", 1U << 20U)})}),
                 "damaged"));
  CHECK(mentions(refused({zstdOf(zstdOf(archiveOf({file("SKILL.md", "1")})))}), "more than once"));
  CHECK(mentions(refused({std::string(600, 'x')}), "as a whole"));
}

TEST_CASE("a file with holes is no file of a skill: it would be larger than all that was fetched") {
  const std::string skill = file("SKILL.md", "---\nname: a\ndescription: b\n---\n");
  const std::string holed = archiveOf({skill, withHole("data.bin", 1U << 20U)});
  const archive::LayeredTree tree = archive::listLayers({{holed}}, {100, 1U << 30U, 100});
  CHECK(tree.at("data.bin").kind == archive::LayeredKind::other);
  CHECK(tree.at("SKILL.md").kind == archive::LayeredKind::file);
  const oci::FoundSkills skills = found({holed});
  CHECK(skills.skills.empty());
  REQUIRE(skills.findings.size() == 1);
  CHECK(mentions(skills.findings[0], "neither a file nor a folder"));
}

TEST_CASE("paths of any length cost nothing: they are refused") {
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "a/";
  CHECK_THROWS_AS(oci::findSkills({{"x", deep + "x"}}, roomy), std::runtime_error);
  const std::string title(5'000, 'a');
  CHECK_THROWS_AS(oci::findSkills({{"x", title}}, roomy), std::runtime_error);
}

TEST_CASE("whoever wants it no more ends the reading of layers") {
  const std::string one = archiveOf({file("SKILL.md", "x"), file("b", "x")});
  int calls = 0;
  const auto stop = [&] {
    if (++calls == 2) throw std::logic_error("stopped");
  };
  CHECK_THROWS_AS(oci::findSkills({{one}}, roomy, stop), std::logic_error);
}
