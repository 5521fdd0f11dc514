// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a document: nothing crashes or throws, errors and results exclude each other,
// and the quick reader never answers differently from the complete one. Only documents that YAML
// refuses are mended, and the time for that grows with the document and not with its square.
#include "ground/utf8.hpp"
#include "skillmd/front_matter_block.hpp"
#include "skillmd/plain_front_matter.hpp"
#include "skillmd/validate.hpp"
#include "skillmd/yaml_front_matter.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>

using namespace skillhost;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool samePlace(const std::optional<Place> &a, const std::optional<Place> &b) {
  return a.has_value() == b.has_value() && (!a || (a->line == b->line && a->column == b->column));
}

void compare(const FrontMatter &plain, const FrontMatter &yaml) {
  require(plain.fields == yaml.fields && plain.fields.dump() == yaml.fields.dump());
  require(plain.bodyOffset == yaml.bodyOffset && plain.keys.size() == yaml.keys.size());
  require(samePlace(plain.flow, yaml.flow) && plain.written.size() == yaml.written.size());
  for (std::size_t i = 0; i < plain.keys.size(); ++i) {
    require(plain.keys[i].name == yaml.keys[i].name);
    require(samePlace(plain.keys[i].place, yaml.keys[i].place));
  }
  for (std::size_t i = 0; i < plain.written.size(); ++i)
    require(plain.written[i].path == yaml.written[i].path &&
            plain.written[i].text == yaml.written[i].text);
}

// The limit is generous for one reading of these bytes under a sanitizer, and far too short for a
// reading that takes the square of their number.
void checkTime(const std::string &document, std::clock_t start) {
  const double spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  require(spent < 1 + 50e-6 * static_cast<double>(document.size()));
}

void checkRescue(const std::string &document, const FrontMatterResult &lenient) {
  const FrontMatterResult strict = parseFrontMatter(document, "SKILL.md", Strictness::Strict);
  if (strict.frontMatter) {
    require(lenient.frontMatter && !lenient.frontMatter->mended);
    compare(*strict.frontMatter, *lenient.frontMatter);
    require(strict.findings.size() == lenient.findings.size());
  } else if (lenient.frontMatter) {
    require(strict.mendable && lenient.frontMatter->mended && !lenient.findings.empty());
    require(lenient.frontMatter->bodyOffset <= document.size());
    const std::size_t lines =
        static_cast<std::size_t>(std::count(document.begin(), document.end(), '\n')) + 1;
    for (const FrontMatter::Key &key : lenient.frontMatter->keys)
      require(key.place.line >= 1 && key.place.line <= lines);
  }
}

void check(const std::string &document) {
  const std::clock_t start = std::clock();
  const FrontMatterResult result = parseFrontMatter(document, "SKILL.md");
  checkTime(document, start);
  checkRescue(document, result);
  const bool failed =
      std::any_of(result.findings.begin(), result.findings.end(),
                  [](const Finding &each) { return each.severity == Severity::Error; });
  require(failed != result.frontMatter.has_value());
  for (const Finding &finding : result.findings) require(!render(finding).empty());
  if (result.frontMatter) {
    require(isUtf8(result.frontMatter->fields.dump()));
    const FrontMatterBlock block = findFrontMatter(document);
    // Mended front matter belongs to another document than this one.
    const std::optional<FrontMatter> plain =
        result.frontMatter->mended ? std::nullopt : readPlain(block);
    if (plain) {
      const FrontMatterResult yaml = readYaml(block, "SKILL.md");
      require(yaml.frontMatter.has_value());
      compare(*plain, *yaml.frontMatter);
    }
  }
  for (const Strictness strictness : {Strictness::Lenient, Strictness::Strict})
    for (const Finding &finding : validateDocument(document, "SKILL.md", "folder", strictness))
      require(!finding.code.empty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string input(data, data + size);
  check(input);
  check("---\n" + input + "\n---\nbody\n"); // most inputs have no front matter of their own
  return 0;
}
