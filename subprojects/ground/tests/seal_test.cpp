// SPDX-License-Identifier: Apache-2.0
// Tests that sealed data can be read by an owner of the key, at the place where it was put, and by
// nobody else.
#include "catch2.hpp"
#include "ground/seal.hpp"

#include <string>

using namespace skillhost;

TEST_CASE("a sealed text opens with its key, for its use, at its place") {
  const Seal seal(Blake3Key::derived("skillhost test of seals", "a")),
      other(Blake3Key::derived("skillhost test of seals", "b"));
  for (const std::string &text : {std::string(), std::string("x"), std::string(3000, 'y')}) {
    const std::string sealed = seal.seal("use", "place", text);
    CHECK(sealed.size() == text.size() + Seal::overhead);
    CHECK(seal.open("use", "place", sealed) == text);
    CHECK(seal.seal("use", "place", text) == sealed);
    CHECK_FALSE(other.open("use", "place", sealed));
    CHECK_FALSE(seal.open("another", "place", sealed));
    CHECK_FALSE(seal.open("use", "elsewhere", sealed));
    CHECK_FALSE(seal.open("usep", "lace", sealed));
  }
}

TEST_CASE("a sealed text that was cut, altered or made longer does not open") {
  const Seal seal(Blake3Key::random());
  const std::string sealed = seal.seal("use", "place", "a text of some length");
  for (std::size_t size = 0; size < sealed.size(); ++size)
    CHECK_FALSE(seal.open("use", "place", sealed.substr(0, size)));
  for (std::size_t at = 0; at < sealed.size(); ++at) {
    std::string altered = sealed;
    altered[at] = static_cast<char>(altered[at] ^ 1);
    CHECK_FALSE(seal.open("use", "place", altered));
  }
  CHECK_FALSE(seal.open("use", "place", sealed + 'x'));
}
