// SPDX-License-Identifier: Apache-2.0
#include "ground/fragments.hpp"

#include "catch2.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;

namespace {

const auto shared = std::make_shared<const std::string>(5'000, 's');

std::vector<std::string> piecesOf(const Fragments &fragments) {
  std::vector<std::string> pieces;
  fragments.each([&](std::string_view piece) { pieces.emplace_back(piece); });
  return pieces;
}

} // namespace

TEST_CASE("bytes are in order, whether they are appended by copying or by moving") {
  for (const bool isMoved : {false, true}) {
    Fragments inner("b");
    inner.append(shared).append("c");
    Fragments outer(std::string("a"));
    if (isMoved)
      outer.append(std::move(inner));
    else
      outer.append(inner);
    outer.append("d");
    CHECK(outer.text() == "ab" + *shared + "cd");
    CHECK(outer.size() == outer.text().size());
    // Adjacent owned pieces become one.
    CHECK(piecesOf(outer) == std::vector<std::string>{"ab", *shared, "cd"});
  }
}

TEST_CASE("a long shared text is not copied, a text that is moved in is not either") {
  Fragments outer;
  outer.append(Fragments().append(shared));
  std::string own(5'000, 'o');
  const char *const place = own.data();
  outer.append(Fragments(std::move(own)));
  std::vector<const char *> places;
  outer.each([&](std::string_view piece) { places.push_back(piece.data()); });
  CHECK(places == std::vector<const char *>{shared->data(), place});
}

TEST_CASE("what was moved from is empty, and nothing has no piece to send") {
  Fragments from("a");
  Fragments into;
  into.append(std::move(from));
  CHECK(from.size() == 0); // NOLINT(bugprone-use-after-move): that is what is promised
  CHECK(piecesOf(from).empty());
  into.append(Fragments());
  CHECK(piecesOf(into) == std::vector<std::string>{"a"});
}
