// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a document for a reader: the front matter stays unchanged, and so does text
// that names no file; nothing outside the skill is ever named.
#include "skillcheck/content_rules.hpp"
#include "skillcheck/inspect_file.hpp"
#include "skillcheck/inspect_text.hpp"
#include "skillmd/front_matter_block.hpp"
#include "skillmd/prompt_arguments.hpp"
#include "skillmd/reader_content.hpp"
#include "skillmd/script_description.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace skillhost;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

struct Files final : SkillFiles {
  explicit Files(bool any) : any_(any) {}
  bool has(std::string_view path) const noexcept override {
    require(!path.empty() && path.front() != '/');
    require(("/" + std::string(path) + "/").find("/../") == std::string::npos);
    return any_;
  }
  bool hasFolder(std::string_view path) const noexcept override { return has(path); }
  bool any_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string input(data, data + size);
  const Files none(false);
  const Files every(true);
  const std::size_t body = findFrontMatter(input).bodyOffset;
  for (const PathStyle style : {PathStyle::Absolute, PathStyle::Uri, PathStyle::Untouched}) {
    const auto projectHas = [&](std::string_view path) { return every.has(path); };
    const std::string all =
        renderForReader(input, body, {style, "/s/a b", "skill://s/a", "/p", projectHas, every});
    require(all.compare(0, body, input, 0, body) == 0);
    if (style == PathStyle::Untouched) require(all == input);
    const std::string same =
        renderForReader(input, body, {style, "/s", "skill://s/a", {}, {}, none});
    if (input.find("${CLAUDE_SKILL_DIR}") == std::string::npos) require(same == input);
  }
  for (const char *path : {"SKILL.md", "scripts/a.sh", "scripts/a.py", "a.yml"})
    for (const Finding &finding : inspectText(readableText(input, path), path)) {
      require(finding.line != 0 && finding.column != 0);
      require(contentRule(finding.code) != nullptr);
      require(finding.severity >= contentRule(finding.code)->severity);
    }
  for (const char *path : {"scripts/a.sh", "run"})
    for (const Finding &finding : inspectFile(input, path, FileMode::Executable, Severity::Warning))
      require(finding.code == "not-inspected" || contentRule(finding.code) != nullptr);
  require(fillArguments(input, {}, 0)->size() <= input.size());
  require(wordsOfArguments(textOfWords(wordsOfArguments(input))) == wordsOfArguments(input));
  for (const char *path : {"scripts/a.py", "scripts/b.js", "scripts/c"})
    require(describeScript(path, input).summary.size() < 500);
  return 0;
}
