// SPDX-License-Identifier: Apache-2.0
// Tests which files of a tree become skills. It builds trees that git itself refuses to create.
#include "catch2.hpp"
#include "github/layout.hpp"
#include "github/submodules.hpp"

#include <skillhost/plugin.hpp>

#include <map>

using namespace skillhost::github;
using Names = std::vector<std::string>;

namespace {

class Made final : public Blobs {
public:
  void file(const std::string &path, std::string text = "x", EntryKind kind = EntryKind::file) {
    const std::size_t slash = path.rfind('/');
    const std::string id = std::to_string(contents_.size());
    contents_[id] = std::move(text);
    entries.push_back({slash == path.npos ? "" : path.substr(0, slash),
                       path.substr(slash == path.npos ? 0 : slash + 1), id, kind});
  }
  void link(const std::string &path, const std::string &to) { file(path, to, EntryKind::link); }

  std::uint64_t size(const std::string &blob) override { return contents_.at(blob).size(); }
  std::string content(const std::string &blob) override { return contents_.at(blob); }

  Names names() {
    laid = layOut(entries, selection, limits, *this, [] {});
    Names all;
    for (const StoredSkill &skill : laid.skills)
      for (const StoredDocument &document : skill.documents)
        all.push_back(skill.id + ":" + document.path);
    return all;
  }
  bool found(const std::string &path, const std::string &reason) const {
    for (const Finding &one : laid.findings)
      if (one.path == path && one.reason.find(reason) != std::string::npos) return true;
    return false;
  }

  std::vector<TreeEntry> entries;
  Selection selection{"repo", "", {}, {}, false};
  Limits limits;
  LayoutResult laid;

private:
  std::map<std::string, std::string> contents_;
};

} // namespace

TEST_CASE("documents belong to the nearest skill") {
  Made made;
  made.file("README.md");
  made.file("a/SKILL.md");
  made.file("a/ref/x.md");
  made.file("a/inner/skill.md");
  made.file("a/inner/y.md");
  made.file(".hidden/SKILL.md");
  made.file("a/.git-ignored/z.md");
  CHECK(made.names() == Names{"a:SKILL.md", "a:ref/x.md", "a/inner:skill.md", "a/inner:y.md"});
  made.selection.hidden = true;
  CHECK(made.names().front() == ".hidden:SKILL.md");
}

TEST_CASE("a skill at the top is called like the repository") {
  Made made;
  made.file("SKILL.md");
  made.file("sub/SKILL.md");
  CHECK(made.names() == Names{"repo:SKILL.md", "repo/sub:SKILL.md"});
}

TEST_CASE("patterns choose documents and skills") {
  Made made;
  made.file("a/SKILL.md");
  made.file("a/x.bin");
  made.file("b/SKILL.md");
  made.selection.exclude.emplace_back("**/*.bin");
  made.selection.include.emplace_back("a");
  CHECK(made.names() == Names{"a:SKILL.md"});
}

TEST_CASE("links are followed within their skill alone") {
  Made made;
  made.file("a/SKILL.md");
  made.file("a/real.sh", "run", EntryKind::executable);
  made.file("outside.md");
  made.file("ab/secret.md");
  made.link("a/inside", "real.sh");
  made.link("a/deep/up", "../real.sh");
  made.link("a/twice", "deep/up");
  made.link("a/out", "../outside.md");
  made.link("a/beside", "../ab/secret.md");
  made.link("a/absolute", "/etc/passwd");
  made.link("a/above", "../../../etc/passwd");
  made.link("a/circle", "circle");
  made.link("a/nowhere", "none");
  CHECK(made.names() == Names{"a:SKILL.md", "a:deep/up", "a:inside", "a:real.sh", "a:twice"});
  for (const std::string name : {"out", "beside", "absolute", "above"})
    CHECK(made.found("a/" + name, "leads out of its skill"));
  CHECK(made.found("a/circle", "in a circle"));
  CHECK(made.found("a/nowhere", "to no file"));
  const StoredDocument &linked = made.laid.skills.front().documents.at(2);
  CHECK(linked.flags == SKH_DOC_EXECUTABLE);
  CHECK(linked.size == 3);
}

TEST_CASE("a link into a skill inside this one is not followed") {
  Made made;
  made.file("a/SKILL.md");
  made.file("a/b/SKILL.md");
  made.file("a/b/secret.md");
  made.link("a/secret", "b/secret.md");
  made.link("a/entry", "b/SKILL.md");
  made.link("c/SKILL.md", "d/SKILL.md");
  made.file("c/d/SKILL.md");
  CHECK(made.names() ==
        Names{"a:SKILL.md", "a/b:SKILL.md", "a/b:secret.md", "c:SKILL.md", "c/d:SKILL.md"});
  CHECK(made.found("a/secret", "leads into another skill"));
  CHECK(made.found("a/entry", "leads into another skill"));
}

TEST_CASE("a skill with a name that cannot be served is left out, its neighbours are not") {
  Made made;
  made.file("a/SKILL.md");
  made.file("b/SKILL.md");
  made.entries.push_back({"a/deep", "..", "0", EntryKind::badName});
  CHECK(made.names() == Names{"b:SKILL.md"});
  CHECK(made.found("a/deep/..", "cannot be served"));
}

TEST_CASE("names that differ in case or Unicode form only collide") {
  Made made;
  made.file("a/SKILL.md");
  made.file("a/Notes.md");
  made.file("a/notes.md");
  made.file("b/SKILL.md");
  made.file("b/caf\xC3\xA9.md");
  made.file("b/cafe\xCC\x81.md");
  made.file("c/SKILL.md");
  made.file("c/stra\xC3\x9F"
            "e");
  made.file("c/strasse");
  made.file("d/SKILL.md");
  made.file("d/one.md");
  CHECK(made.names() == Names{"d:SKILL.md", "d:one.md"});
  CHECK(made.found("a/notes.md", "only in case"));
}

TEST_CASE("limits hold before anything is read") {
  Made made;
  made.limits.maxFileBytes = 100;
  made.limits.maxSkillBytes = 150;
  made.limits.maxSkillFiles = 3;
  made.file("a/SKILL.md");
  made.file("a/large.bin", std::string(101, 'x'));
  made.file("b/SKILL.md", std::string(101, 'x'));
  made.file("c/SKILL.md");
  for (const char *name : {"c/1", "c/2"}) made.file(name, std::string(80, 'x'));
  made.file("d/SKILL.md");
  for (const char *name : {"d/1", "d/2", "d/3"}) made.file(name);
  CHECK(made.names() == Names{"a:SKILL.md"});
  CHECK(made.found("a/large.bin", "max_file_bytes"));
  CHECK(made.found("b/SKILL.md", "max_file_bytes"));
  CHECK(made.found("c", "max_skill_bytes"));
  CHECK(made.found("d", "max_skill_files"));
}

TEST_CASE("a submodule is left out and said") {
  Made made;
  made.file("a/SKILL.md");
  made.entries.push_back({"a", "module", "none", EntryKind::submodule});
  CHECK(made.names() == Names{"a:SKILL.md"});
  CHECK(made.found("a/module", "submodule"));
}

TEST_CASE("plugin manifests open the folders they name") {
  Made made;
  made.file(".claude/skills/x/SKILL.md");
  made.file(".other/skills/y/SKILL.md");
  made.file("plugins/p/.agent/z/SKILL.md");
  made.file(".claude-plugin/marketplace.json",
            R"({"metadata": {"pluginRoot": "./plugins"}, "plugins": [
                {"name": "p", "source": "./p"}, {"name": "up", "source": "../../out"},
                {"name": "far", "source": {"source": "github", "repo": "else/where"}}]})");
  made.file("plugins/p/.claude-plugin/plugin.json", R"({"skills": ["./.agent/"]})");
  CHECK(made.names() == Names{"plugins/p/.agent/z:SKILL.md"});
  CHECK(made.found(".claude-plugin/marketplace.json", "\"up\" lies in no folder"));
  REQUIRE(made.laid.marketplace.size() == 1);
  CHECK(made.laid.marketplace[0] == MarketplacePlugin{"far", "else/where", "", "", "", {}});
}

TEST_CASE("plugins of other repositories are told as the manifest has them") {
  Made made;
  made.file(".claude-plugin/marketplace.json", R"({"plugins": [
      {"name": "one", "skills": ["./.x", "../y", 7],
       "source": {"source": "github", "repo": "o/one", "ref": "v1",
                  "sha": "0123456789012345678901234567890123456789"}},
      {"name": "two", "source": {"source": "git-subdir", "url": "https://h/two.git", "path": "./a//b/"}},
      {"name": "three", "source": {"source": "npm", "package": "three"}},
      {"name": "four", "source": {"source": "url", "url": "https://h/x", "path": "../.."}},
      {"name": "one", "source": {"source": "github", "repo": "o/again"}},
      {"name": "a/b", "source": {"source": "github", "repo": "o/slash"}},
      {"name": "..", "source": {"source": "github", "repo": "o/dots"}},
      {"name": 5, "source": {"source": "github", "repo": "o/number"}},
      {"name": "cut", "source": {"source": "github", "repo": "o/cut", "sha": "0123"}},
      {"name": "count", "source": {"source": "github", "repo": "o/count", "sha": 123}},
      {"name": "six", "source": 6}]})");
  made.names();
  const std::vector<MarketplacePlugin> expected{
      {"one", "o/one", "v1", "0123456789012345678901234567890123456789", "", {".x"}},
      {"two", "https://h/two.git", "", "", "a/b", {}}};
  CHECK(made.laid.marketplace == expected);
  const std::string manifest = ".claude-plugin/marketplace.json";
  CHECK(made.found(manifest, "\"three\" comes from what is no git repository"));
  CHECK(made.found(manifest, "\"four\" comes from what is no git repository"));
  CHECK(made.found(manifest, "\"one\" needs a name of its own"));
  CHECK(made.found(manifest, "\"a/b\" needs a name of its own"));
  CHECK(made.found(manifest, "\"..\" needs a name of its own"));
  CHECK(made.found(manifest, "\"cut\" has a sha that is no whole"));
  CHECK(made.found(manifest, "\"count\" has a sha that is no whole"));
  CHECK(made.found(manifest, "\"six\" lies in no folder"));
  made.selection.marketplace = false;
  made.names();
  CHECK(made.laid.marketplace.empty());
  CHECK(made.found(manifest, "\"one\" comes from another repository (marketplace_plugins)"));
}

TEST_CASE("a manifest may be as deep and as long as it likes") {
  Made made;
  made.file("a/SKILL.md");
  made.file(".x/SKILL.md");
  const std::string deep = std::string(400'000, '[') + std::string(400'000, ']');
  made.file(".claude-plugin/plugin.json", R"({"skills": )" + deep + "}");
  CHECK(made.names() == Names{"a:SKILL.md"});
  Made wide;
  wide.file(".x/SKILL.md");
  std::string folders;
  for (int i = 0; i < 1'500; ++i) folders += "\"f" + std::to_string(i) + "\", ";
  wide.file(".claude-plugin/plugin.json", R"({"skills": [)" + folders + R"(".x"]})");
  CHECK(wide.names().empty());
  Made same;
  same.file(".x/SKILL.md");
  same.file(".claude-plugin/plugin.json", R"({"skills": [".x", ".x", ".x"]})");
  CHECK(same.names() == Names{".x:SKILL.md"});
}

TEST_CASE("a marketplace plugin's ids, patterns and findings begin with its name") {
  Made made;
  made.selection.prefix = "far";
  made.selection.opened = {".x"};
  made.file(".claude-plugin/marketplace.json", R"({"plugins": [
      {"name": "further", "source": {"source": "github", "repo": "a/b"}}]})");
  made.file(".claude-plugin/plugin.json", R"({"skills": ".y"})");
  made.file("SKILL.md");
  made.file(".x/SKILL.md");
  made.file(".y/SKILL.md");
  made.file(".z/SKILL.md");
  made.link("skills/SKILL.md", "../../out");
  made.file("skills/no/SKILL.md");
  made.selection.exclude.emplace_back("far/skills/no");
  CHECK(made.names() == Names{"far:SKILL.md", "far/.x:SKILL.md", "far/.y:SKILL.md"});
  CHECK(made.found("far/skills/SKILL.md", "left out"));
  CHECK(made.laid.marketplace.empty());
}

TEST_CASE("a manifest of one plugin is read too, and one that is none does no harm") {
  Made made;
  made.file(".claude/skills/x/SKILL.md");
  SECTION("good") {
    made.file(".claude-plugin/plugin.json", R"({"name": "p", "skills": "./.claude/skills"})");
    CHECK(made.names() == Names{".claude/skills/x:SKILL.md"});
  }
  SECTION("broken") {
    made.file("a/SKILL.md");
    made.file(".claude-plugin/plugin.json", "[1");
    CHECK(made.names() == Names{"a:SKILL.md"});
    CHECK(made.found(".claude-plugin/plugin.json", "no JSON object"));
  }
}

TEST_CASE("where skills are passed over for the names of their folders it is said") {
  Made made;
  made.file("README.md");
  made.file(".claude/skills/a/SKILL.md");
  made.file(".claude/skills/b/SKILL.md");
  made.file("vendor/skills", "", EntryKind::submodule);
  made.file("other", "", EntryKind::submodule);
  made.file(".gitmodules",
            "[submodule \"x\"]\n\turl = https://example.org/x.git\n\tpath = vendor/skills\n"
            "[submodule \"o\"]\n\tpath = other-one\n\turl = ../o.git\n");
  CHECK(made.names().empty());
  CHECK(made.found(".claude/skills/a",
                   "2 skills are passed over below folders whose names begin with a dot"));
  CHECK(made.found("vendor/skills",
                   "is a submodule, and left out: to serve its skills, add its own "
                   "repository, https://example.org/x.git"));
  CHECK(made.found("other", "add its own repository"));
  CHECK_FALSE(made.found("other", "o.git"));
  made.file("real/SKILL.md");
  made.file(".venv/lib/x/SKILL.md"); // repositories keep no skills there
  CHECK(made.names() == Names{"real:SKILL.md"});
  CHECK(made.laid.findings.size() == 1); // no finding about the submodules
  CHECK(made.found(".claude/skills/a",
                   "2 skills are passed over below folders whose names begin with a dot"));
  made.selection.exclude.emplace_back(".claude");
  CHECK(made.names() == Names{"real:SKILL.md"});
  CHECK(made.laid.findings.empty());
}

TEST_CASE("litter, files of secrets and pointers of Git LFS are no documents") {
  Made made;
  made.file("a/SKILL.md");
  made.file("a/.env.example");
  for (const char *path : {"a/__pycache__/x.pyc", "a/.DS_Store", "a/node_modules/b/SKILL.md",
                           "a/node_modules/b/x.js", "a/.env", "a/keys/id_rsa"})
    made.file(path);
  made.file("node_modules/c/SKILL.md");
  made.link("a/settings.md", ".env");
  made.file("a/logo.png", "version https://git-lfs.github.com/spec/v1\noid sha256:"
                          "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
                          "size 12345\n");
  made.limits.maxSkillFiles = 2;
  CHECK(made.names() == Names{"a:.env.example", "a:SKILL.md", "node_modules/c:SKILL.md"});
  for (const std::string name : {".env", "keys/id_rsa", "settings.md"})
    CHECK(made.found("a/" + name, "by its name it holds a secret"));
  CHECK(made.found("a/logo.png", "it is a pointer of Git LFS"));
}

TEST_CASE("the address of a submodule is shown without its password") {
  CHECK(withoutUser("https://me:secret@example.org/x.git") == "***@example.org/x.git");
  CHECK(withoutUser("https://secret@example.org/x.git") == "***@example.org/x.git");
  CHECK(withoutUser("git@example.org:a/x.git") == "git@example.org:a/x.git");
  CHECK(withoutUser("ssh://git@example.org/x.git") == "ssh://git@example.org/x.git");
  CHECK(withoutUser("https://git@me:secret@example.org/x") == "***@example.org/x");
  CHECK(withoutUser("../x.git") == "../x.git");
}
