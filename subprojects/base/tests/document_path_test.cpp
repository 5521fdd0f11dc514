// SPDX-License-Identifier: Apache-2.0
#include "base/document_path.hpp"
#include "catch2.hpp"

#include <string>

using namespace skillhost;

TEST_CASE("a name of a document is a plain relative path, or it is told why not") {
  for (const char *path : {"SKILL.md", "docs/x.md", "a b/\xC3\xA9.md", "..a/b..", ".hidden"})
    CHECK(faultInDocumentPath(path).empty());
  for (const char *path : {"", "/a", "a/", "a//b", ".", "a/../b", "./a", "a\\b", "a\nb", "\xFF"}) {
    CAPTURE(path);
    CHECK_FALSE(faultInDocumentPath(path).empty());
  }
  CHECK(faultInDocumentPath(std::string(maxDocumentPathBytes, 'x')).empty());
  CHECK(faultInDocumentPath(std::string(maxDocumentPathBytes + 1, 'x')) == "is too long");
}
