// SPDX-License-Identifier: Apache-2.0
#include "index.hpp"

#include <cstdio>
#include <stdexcept>

namespace {

int failures = 0;

void check(bool holds, const char *what) {
  if (holds) return;
  std::printf("FAILED %s\n", what);
  ++failures;
}

Entry entry(const std::string &id, const std::string &text, Attributes attributes = {}) {
  return {id, text, trigramsOf(text), std::move(attributes)};
}

std::string idsOf(const Index &index, std::string_view question, const Filter &filter = {},
                  std::size_t limit = 10) {
  std::string ids;
  for (const Found &one : index.find(question, filter, 0.4, limit, [] {}))
    ids += (ids.empty() ? "" : " ") + one.entry->id;
  return ids;
}

} // namespace

int main() {
  check(trigramsOf("ab").size() == 3, "\"  a\", \" ab\" and \"ab \"");
  check(trigramsOf("Ab, ab!") == trigramsOf("ab"), "neither capitals nor punctuation count");
  check(trigramsOf("").empty() && trigramsOf(" -! ").empty(), "without a word there is nothing");

  Index index;
  index.put(entry("b", "release notes", {{"category", "writing"}}));
  index.put(entry("a", "release notes", {{"category", "git"}, {"category", "writing"}}));
  index.put(entry("c", "review a pull request"));
  check(index.generation().empty() && idsOf(index, "release notes").empty(),
        "nothing is seen before commit()");
  index.commit("one");
  check(index.generation() == "one", "and all of it afterwards");
  check(idsOf(index, "release notes") == "a b", "equal scores are in order of id");
  check(idsOf(index, "relaese nots") == "a b", "though it is misspelt");
  check(idsOf(index, "pull requests") == "c", "other words find another one");
  check(idsOf(index, "weather").empty(), "and none find nothing");
  check(idsOf(index, "release notes", {}, 1) == "a", "no more than the limit");
  check(idsOf(index, "release notes", {{"category", {"git"}}}) == "a", "the filter");
  check(idsOf(index, "release notes", {{"category", {"git", "writing"}}}) == "a b", "one of them");
  check(idsOf(index, "release notes", {{"category", {"git"}}, {"source", {"x"}}}).empty(),
        "for every name");

  index.remove("a");
  index.put(entry("c", "release train"));
  check(idsOf(index, "release notes") == "a b", "a change is not seen before commit() either");
  index.commit("two");
  check(idsOf(index, "release notes") == "b c", "and is seen afterwards");

  try {
    index.find("release", {}, 0, 10, [] { throw std::runtime_error("no longer wanted"); });
    check(false, "a search that is no longer wanted ends");
  } catch (const std::runtime_error &) {}
  return failures == 0 ? 0 : 1;
}
