// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "skills/path_rewriter.hpp"
#include "skills/reader_content.hpp"

#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

struct Files final : SkillFiles {
  bool has(std::string_view path) const noexcept override { return names.count(path) != 0; }
  std::set<std::string, std::less<>> names{
      "SKILL.md",     "references/api.md", "scripts/run.py", "assets/my logo.png",
      "LICENSE",      "forms.md",          "a/b/c.md",       "caf\xC3\xA9/menu.md",
      "docs/100%.md", "config/[id].ts"};
};

const Files files;

ReaderContext context(PathStyle style = PathStyle::Absolute, std::string folder = "/skills/pdf") {
  return {
      style,
      std::move(folder),
      "skill://local/pdf",
      "/home/me/project",
      [](std::string_view path) { return path == "00-init-ideas/README.md" || path == "forms.md"; },
      files};
}
std::string rendered(const std::string &text) { return renderForReader(text, context()); }
std::string asUri(const std::string &text) {
  return renderForReader(text, context(PathStyle::Uri));
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
  CHECK(renderForReader("```\npython scripts/run.py\n```\nsee forms.md", spaced) ==
        "```\npython \"/my skills/pdf/scripts/run.py\"\n```\nsee /my skills/pdf/forms.md");
  CHECK(renderForReader("```\npython \"scripts/run.py\"\n```", spaced) ==
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
  untouched("scripts/ and references/");
  untouched("");
}

TEST_CASE("front matter is never rewritten") {
  const std::string matter = "---\nname: pdf\ndescription: See references/api.md\n---\n";
  CHECK(rendered(matter + "references/api.md") == matter + "/skills/pdf/references/api.md");
}

TEST_CASE("a reader elsewhere gets URIs, and no path of this machine") {
  CHECK(asUri("references/api.md [l](assets/my logo.png) caf\xC3\xA9/menu.md `docs/100%.md`") ==
        "skill://local/pdf/references/api.md [l](skill://local/pdf/assets/my%20logo.png) "
        "skill://local/pdf/caf%C3%A9/menu.md `skill://local/pdf/docs/100%25.md`");
  CHECK(asUri("00-init-ideas/README.md") == "00-init-ideas/README.md");
  CHECK(renderForReader("forms.md", context(PathStyle::Absolute, "")) ==
        "skill://local/pdf/forms.md");
  CHECK(renderForReader("forms.md ${CLAUDE_SKILL_DIR}", context(PathStyle::Untouched)) ==
        "forms.md ${CLAUDE_SKILL_DIR}");
}

TEST_CASE("the skill's own folder is filled in") {
  CHECK(rendered("python ${CLAUDE_SKILL_DIR}/scripts/new.py") ==
        "python /skills/pdf/scripts/new.py");
  CHECK(rendered("cd ${CLAUDE_SKILL_DIR} && x") == "cd /skills/pdf && x");
  CHECK(rendered("\"${CLAUDE_SKILL_DIR}\"/a") == "\"/skills/pdf\"/a");
  CHECK(asUri("${CLAUDE_SKILL_DIR}/x.md") == "skill://local/pdf/x.md");
  untouched("${CLAUDE_SKILL_DIR}/../other/secret.md");
}

TEST_CASE("the project is asked once for each path") {
  int asked = 0;
  ReaderContext once = context();
  once.projectHas = [&](std::string_view) {
    ++asked;
    return false;
  };
  renderForReader("x/y.md x/y.md ./x/y.md z.md", once);
  CHECK(asked == 2);
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

TEST_CASE("arguments go where the prompt wants them") {
  CHECK(fillArguments("Do $ARGUMENTS now: $ARGUMENTS.", "it") == "Do it now: it.");
  CHECK(fillArguments("Do it.", "now") == "Do it.\n\nARGUMENTS: now");
  CHECK(fillArguments("Do it.", "") == "Do it.");
  CHECK(fillArguments("Do $ARGUMENTS.", "") == "Do .");
  CHECK(fillArguments("$ARGUMENTS", "$ARGUMENTS") == "$ARGUMENTS");
}
