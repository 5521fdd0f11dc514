// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skillmd/path_rewriter.hpp"
#include "skillmd/reader_content.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

struct Files final : SkillFiles {
  bool has(std::string_view path) const noexcept override { return names.count(path) != 0; }
  bool hasFolder(std::string_view path) const noexcept override {
    const std::string below = std::string(path) + '/';
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string &name) { return name.starts_with(below); });
  }
  std::string_view inOtherCase(std::string_view path) const noexcept override {
    return path == "FORMS.md" || path == "references/API.md" || path == "FORMS.MD" ? "forms.md"
                                                                                   : "";
  }
  std::set<std::string, std::less<>> names{
      "SKILL.md",     "references/api.md", "scripts/run.py", "assets/my logo.png",
      "LICENSE",      "forms.md",          "a/b/c.md",       "caf\xC3\xA9/menu.md",
      "docs/100%.md", "config/[id].ts"};
};

const Files files;

ReaderContext context(PathStyle style = PathStyle::Absolute, std::string folder = "/skills/pdf") {
  return {style,
          std::move(folder),
          "skill://local/pdf",
          "/home/me/project",
          [](std::string_view path) {
            return path == "00-init-ideas/README.md" || path == "forms.md" ||
                   path == "package.json" || path == "scripts/build.py" || path == "src/main.ts";
          },
          files};
}
std::string rendered(const std::string &text) { return renderForReader(text, 0, context()); }
std::string asUri(const std::string &text) {
  return renderForReader(text, 0, context(PathStyle::Uri));
}
void untouched(const std::string &text) { CHECK(rendered(text) == text); }

} // namespace

TEST_CASE("a path in running text becomes absolute") {
  CHECK(rendered("See references/api.md for details.") ==
        "See /skills/pdf/references/api.md for details.");
  CHECK(rendered("See 00-init-ideas/README.md for details") ==
        "See /home/me/project/00-init-ideas/README.md for details");
  CHECK(rendered("(scripts/run.py), \"scripts/run.py\", **scripts/run.py**: scripts/run.py.") ==
        "(/skills/pdf/scripts/run.py), \"/skills/pdf/scripts/run.py\", "
        "**/skills/pdf/scripts/run.py**: /skills/pdf/scripts/run.py.");
  CHECK(rendered("forms.md comes from the skill first") ==
        "/skills/pdf/forms.md comes from the skill first");
  CHECK(rendered("./a/./b/../b/c.md and a//b/c.md") ==
        "/skills/pdf/a/b/c.md and /skills/pdf/a/b/c.md");
  CHECK(rendered("@references/api.md scripts/run.py:12:3 references/api.md#top --in=forms.md") ==
        "@/skills/pdf/references/api.md /skills/pdf/scripts/run.py:12:3 "
        "/skills/pdf/references/api.md#top --in=/skills/pdf/forms.md");
}

TEST_CASE("links, images and code are followed") {
  CHECK(rendered("[api](references/api.md#a) ![logo](assets/my%20logo.png) [l](LICENSE)") ==
        "[api](/skills/pdf/references/api.md#a) ![logo](</skills/pdf/assets/my logo.png>) "
        "[l](/skills/pdf/LICENSE)");
  CHECK(rendered("[logo](assets/my logo.png \"The logo\") [x](<assets/my logo.png>)") ==
        "[logo](</skills/pdf/assets/my logo.png> \"The logo\") [x](</skills/pdf/assets/my "
        "logo.png>)");
  CHECK(rendered("`references/api.md` and `assets/my logo.png`") ==
        "`/skills/pdf/references/api.md` and `/skills/pdf/assets/my logo.png`");
  CHECK(rendered("```bash\npython scripts/run.py --out x.pdf\n```\n") ==
        "```bash\npython /skills/pdf/scripts/run.py --out x.pdf\n```\n");
  CHECK(rendered("<img src=\"references/api.md\">") ==
        "<img src=\"/skills/pdf/references/api.md\">");
}

TEST_CASE("a command stays one that runs when the folder has spaces") {
  const ReaderContext spaced = context(PathStyle::Absolute, "/my skills/pdf");
  CHECK(renderForReader("```\npython scripts/run.py\n```\nsee forms.md", 0, spaced) ==
        "```\npython \"/my skills/pdf/scripts/run.py\"\n```\nsee /my skills/pdf/forms.md");
  CHECK(renderForReader("```\npython \"scripts/run.py\"\n```", 0, spaced) ==
        "```\npython \"/my skills/pdf/scripts/run.py\"\n```");
}

TEST_CASE("text between scripts without spaces is found") {
  CHECK(rendered("\xE8\xAF\xB7\xE7\x9C\x8Breferences/api.md\xE3\x80\x82") ==
        "\xE8\xAF\xB7\xE7\x9C\x8B/skills/pdf/references/api.md\xE3\x80\x82");
  CHECK(rendered("caf\xC3\xA9/menu.md") == "/skills/pdf/caf\xC3\xA9/menu.md");
  CHECK(rendered("\xE2\x80\x9Creferences/api.md\xE2\x80\x9D") ==
        "\xE2\x80\x9C/skills/pdf/references/api.md\xE2\x80\x9D");
}

TEST_CASE("what is no path of the skill or the project stays") {
  untouched("https://example.org/references/api.md http://x/scripts/run.py?a=forms.md");
  untouched("[x](https://example.org/forms.md) [y](#forms.md) <mailto:a@forms.md>");
  untouched("/references/api.md ~/references/api.md $HOME/references/api.md C:\\forms.md");
  untouched("{dir}/references/api.md ${X}references/api.md src/*forms.md");
  untouched("../forms.md a/../../forms.md ../../etc/passwd [x](../forms.md) `../pdf/forms.md`");
  untouched("and/or references/other.md e.g. 1.5 forms.mdx xforms.md");
  untouched("Write a SKILL.md");
  untouched("scripts and references and docs");
  untouched("");
}

TEST_CASE("a folder of the skill becomes absolute where it is spelled as a path") {
  CHECK(rendered("see scripts/, `references/` or ./a/b: [docs](docs) a/b/.") ==
        "see /skills/pdf/scripts/, `/skills/pdf/references/` or /skills/pdf/a/b: "
        "[docs](/skills/pdf/docs) /skills/pdf/a/b/.");
  CHECK(rendered("references/*.md references/{lang}.md references/<topic>.md") ==
        "/skills/pdf/references/*.md /skills/pdf/references/{lang}.md "
        "/skills/pdf/references/<topic>.md");
  untouched("scripts, a, docs: and/or scripts/references <docs/> </docs>");
  untouched("```\npdf/\n\xE2\x94\x9C\xE2\x94\x80\xE2\x94\x80 scripts/\n|-- references/\n```\n");
}

TEST_CASE("the project has what is clearly its own file, and nothing that may be the skill's") {
  CHECK(rendered("src/main.ts:4 [main](src/main.ts#L4)") ==
        "/home/me/project/src/main.ts:4 [main](/home/me/project/src/main.ts#L4)");
  untouched("package.json ./package.json [p](package.json) `package.json`"); // bare words
  untouched("src src/ tests/ 00-init-ideas/ [ideas](00-init-ideas) src/main.ts/");
  untouched("scripts/build.py"); // the skill has a folder of that name
}

TEST_CASE("front matter is never rewritten, closed or not") {
  for (const std::string matter :
       {"---\nname: pdf\ndescription: See references/api.md\n---\n",
        "---\nname: pdf\ndescription: See references/api.md\n",
        "See forms.md\n---\nname: pdf\ndescription: See references/api.md\n---\n"})
    CHECK(renderForReader(matter + "references/api.md", matter.size(), context()) ==
          matter + "/skills/pdf/references/api.md");
}

TEST_CASE("bytes that are no UTF-8 are read as in front matter, all others stay") {
  CHECK(readableText("caf\xE9 \x93quoted\x94\n") == "caf\xC3\xA9 \xE2\x80\x9Cquoted\xE2\x80\x9D\n");
  CHECK(readableText("caf\xC3\xA9 \x1B[1m\f") == "caf\xC3\xA9 \x1B[1m\f");
}

TEST_CASE("a reader elsewhere gets URIs, and no path of this machine") {
  CHECK(asUri("references/api.md [l](assets/my logo.png) caf\xC3\xA9/menu.md `docs/100%.md`") ==
        "skill://local/pdf/references/api.md [l](skill://local/pdf/assets/my%20logo.png) "
        "skill://local/pdf/caf%C3%A9/menu.md `skill://local/pdf/docs/100%25.md`");
  CHECK(asUri("00-init-ideas/README.md") == "00-init-ideas/README.md");
  CHECK(renderForReader("forms.md", 0, context(PathStyle::Absolute, "")) ==
        "skill://local/pdf/forms.md");
  CHECK(renderForReader("forms.md ${CLAUDE_SKILL_DIR}", 0, context(PathStyle::Untouched)) ==
        "forms.md ${CLAUDE_SKILL_DIR}");
}

TEST_CASE("no URI stands in a command") {
  const auto same = [](const std::string &text) { CHECK(asUri(text) == text); };
  same("```bash\npython scripts/run.py --in forms.md\n[x](forms.md) `forms.md`\n```\n");
  same("`python scripts/run.py` and ``cat references/api.md``");
  same("`${CLAUDE_SKILL_DIR}/scripts/run.py --fast`");
  same("python3 scripts/run.py\n$ scripts/run.py\n* bash ${CLAUDE_SKILL_DIR}/scripts/run.py");
  same("1. ```bash\n   cp forms.md x\n   ```\n");
  same("* a\n     - b\n       ```bash\n       cp forms.md x\n       ```\n");
  same("````md\n```\nforms.md\n```\nforms.md\n````\n~~~\n```\nforms.md\n~~~\n");
  CHECK(asUri("> ```sh\n> cat forms.md\n> ```\n```x``` forms.md\n```\nforms.md") ==
        "> ```sh\n> cat forms.md\n> ```\n```x``` skill://local/pdf/forms.md\n```\nforms.md");
  CHECK(asUri("Run `scripts/run.py`, read forms.md; \"scripts/run.py\"\n```\n```\nscripts/") ==
        "Run `skill://local/pdf/scripts/run.py`, read skill://local/pdf/forms.md; "
        "\"skill://local/pdf/scripts/run.py\"\n```\n```\nskill://local/pdf/scripts/");
}

TEST_CASE("the skill's own folder is filled in") {
  CHECK(rendered("python ${CLAUDE_SKILL_DIR}/scripts/new.py") ==
        "python /skills/pdf/scripts/new.py");
  CHECK(rendered("cd ${CLAUDE_SKILL_DIR} && x") == "cd /skills/pdf && x");
  CHECK(rendered("\"${CLAUDE_SKILL_DIR}\"/a") == "\"/skills/pdf\"/a");
  CHECK(asUri("${CLAUDE_SKILL_DIR}/x.md") == "skill://local/pdf/x.md");
  untouched("${CLAUDE_SKILL_DIR}/../other/secret.md");
}

TEST_CASE("the ways in which authors write their skill's folder are understood") {
  ReaderContext named = context();
  named.names = {"pdf", "pdf-tools"};
  const auto absolute = [&](const std::string &text) { return renderForReader(text, 0, named); };
  const std::string run = "/skills/pdf/scripts/run.py";
  for (const std::string written : {"{baseDir}/scripts/run.py",
                                    "${SKILL_DIR}/scripts/run.py",
                                    "$SKILL_DIR/scripts/run.py",
                                    "<SKILL_DIR>/scripts/run.py",
                                    "<skill-directory>/scripts/run.py",
                                    "{{SKILL_PATH}}/scripts/run.py",
                                    "$CLAUDE_SKILL_DIR/scripts/run.py",
                                    "~/.claude/skills/pdf/scripts/run.py",
                                    "~/.claude/skills/pdf-tools/scripts/run.py",
                                    "$HOME/.agents/skills/pdf/scripts/run.py",
                                    "${HOME}/.codex/skills/pdf/scripts/run.py",
                                    ".claude/skills/pdf/scripts/run.py",
                                    "./.github/skills/pdf/scripts/run.py",
                                    "skills/pdf/scripts/run.py",
                                    "pdf/scripts/run.py",
                                    "${CLAUDE_PLUGIN_ROOT}/skills/pdf/scripts/run.py",
                                    "${CLAUDE_PLUGIN_ROOT}/scripts/run.py",
                                    R"(scripts\run.py)",
                                    R"(.\scripts\run.py)",
                                    R"({baseDir}\scripts\run.py)"}) {
    CHECK(absolute("python " + written + " x") == "python " + run + " x");
    CHECK(absolute("`" + written + "`, \"" + written + "\": " + written + ".") ==
          "`" + run + "`, \"" + run + "\": " + run + ".");
    CHECK(absolute("```\n" + written + "\n```") == "```\n" + run + "\n```");
  }
  CHECK(absolute("@scripts/run.py") == "@" + run);
  CHECK(absolute("cd {baseDir} && x") == "cd /skills/pdf && x");
  CHECK(absolute("[a]({baseDir}/references/api.md#b)") == "[a](/skills/pdf/references/api.md#b)");
  CHECK(absolute("{baseDir}/scripts/{name}.py") == "/skills/pdf/scripts/{name}.py");
  // Text that might mean another file stays as it is.
  for (const std::string other :
       {"~/.claude/skills/other/scripts/run.py", "~/pdf/scripts/run.py", "$SKILL_DIR",
        "<skill-path>", "$SKILL_DIR/scripts/none.py", "<SKILL_DIR>/SKILL.md", "{baseDir}/../x.md",
        "$OTHER/scripts/run.py", "${baseDir}", "C:\\scripts\\run.py", R"(a\nb.md)",
        "${CLAUDE_PLUGIN_ROOT}/hooks/run.py"})
    CHECK(absolute(other) == other);
  // A command for a reader elsewhere keeps the placeholder, which the heading explains.
  ReaderContext remote = context(PathStyle::Uri);
  remote.names = {"pdf", "pdf"};
  CHECK(renderForReader("See {baseDir}/forms.md\n```\npython {baseDir}/scripts/run.py\n```\n", 0,
                        remote) == "See skill://local/pdf/forms.md\n```\npython "
                                   "${CLAUDE_SKILL_DIR}/scripts/run.py\n```\n");
}

TEST_CASE("the project is asked once for each path") {
  int asked = 0;
  ReaderContext once = context();
  once.projectHas = [&](std::string_view) {
    ++asked;
    return false;
  };
  renderForReader("x/y.md x/y.md ./x/y.md x/z.md z.md", 0, once);
  CHECK(asked == 2);
}

TEST_CASE("a text of paths that are nowhere costs few looks into the project") {
  int asked = 0;
  ReaderContext counted = context();
  counted.projectHas = [&](std::string_view path) {
    ++asked;
    return path == "src/main.ts";
  };
  std::string text = "src/main.ts ";
  for (int i = 0; i < 10'000; ++i) text += "x" + std::to_string(i) + "/y.md ";
  const std::string shown = renderForReader(text + "src/main.ts src/other.ts", 0, counted);
  CHECK(asked == 500);
  CHECK(shown.starts_with("/home/me/project/src/main.ts x0/y.md "));
  CHECK(shown.ends_with(" /home/me/project/src/main.ts src/other.ts"));
}

TEST_CASE("relative paths are normalised without leaving") {
  CHECK(normaliseRelative("a/./b//c") == "a/b/c");
  CHECK(normaliseRelative("a/../b") == "b");
  CHECK_FALSE(normaliseRelative("a/../../b"));
  CHECK_FALSE(normaliseRelative("/a"));
  CHECK_FALSE(normaliseRelative(""));
  CHECK_FALSE(normaliseRelative("."));
  CHECK_FALSE(normaliseRelative(std::string_view("a\0b", 3)));
}

TEST_CASE("large documents take linear time") {
  const std::vector<std::string> pieces{
      "See references/api.md and `scripts/run.py` in the text of this document.\n",
      "](",
      "`",
      "$",
      "${CLAUDE_SKILL_DIR}/",
      "{baseDir}/",
      "{",
      "<",
      "skills/",
      "~/skills/",
      "a\\",
      "a/",
      "../",
      "\xE8\xAF\xB7/",
      "x://",
      "%20",
      "\n```\n"};
  for (const std::string &piece : pieces) {
    std::string document;
    while (document.size() < 1'000'000) document += piece;
    const auto start = std::chrono::steady_clock::now();
    const std::string out = rendered(document);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    INFO(piece);
    CHECK(out.size() >= document.size() / 2); // a folder may be shorter than its placeholder
    CHECK(spent.count() < 30);                // quadratic time would take minutes
  }
}

TEST_CASE("a path in the wrong case is the only file that it can mean") {
  CHECK(rendered("See FORMS.md and `references/API.md`, [f](FORMS.MD).") ==
        "See /skills/pdf/forms.md and `/skills/pdf/forms.md`, [f](/skills/pdf/forms.md).");
  CHECK(rendered("{baseDir}/FORMS.md") == "/skills/pdf/forms.md");
  untouched("Forms.md FORMS.txt Node.js"); // several files fit, none fits, and not a document
}

TEST_CASE("the text of a link to itself stays, because the target says where") {
  CHECK(rendered("[forms.md](forms.md) [forms.md](#a) [forms.md](references/api.md)") ==
        "[forms.md](/skills/pdf/forms.md) [/skills/pdf/forms.md](#a) "
        "[/skills/pdf/forms.md](/skills/pdf/references/api.md)");
}

TEST_CASE("a document below the skill names files from its own folder or from the skill's") {
  ReaderContext below = context();
  below.documentFolder = "a/b";
  const auto render = [&](const std::string &text) { return renderForReader(text, 0, below); };
  CHECK(render("c.md ./c.md [c](c.md) ../../forms.md scripts/run.py a/b/c.md") ==
        "/skills/pdf/a/b/c.md /skills/pdf/a/b/c.md [c](/skills/pdf/a/b/c.md) /skills/pdf/forms.md "
        "/skills/pdf/scripts/run.py /skills/pdf/a/b/c.md");
  CHECK(render("../../../forms.md ../forms.md") == "../../../forms.md ../forms.md");
}
