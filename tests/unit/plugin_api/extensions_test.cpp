// SPDX-License-Identifier: Apache-2.0
// Tests of the optional interfaces of one plugin, added by withExtensions().
#include "catch2.hpp"

#include <skillhost/explain.hpp>
#include <skillhost/facts.hpp>
#include <skillhost/held.hpp>

#include <stdexcept>
#include <type_traits>

namespace {

// Has the functions for the tables; no test calls them.
struct Finder final : skh::Held, skh::Explain, skh::Facts {
  void held(const skh::Call &, const skh::HeldEntries &) override {}
  std::string explain(const skh::Call &, std::string_view, std::string_view) override {
    return "{}";
  }
  std::string facts(const skh::Call &, std::string_view) override { return "{}"; }
};
using Held = skh::HeldOps<Finder>;
using Explain = skh::ExplainOps<Finder>;

constexpr skh_plugin both() { return skh::withExtensions<Held, Explain>(skh_plugin{}); }
constexpr skh_plugin oneAfterAnother() {
  return skh::withExtensions<Explain>(skh::withExtensions<Held>(skh_plugin{}));
}

template <skh_plugin (*make)()>
concept Compiles = requires { typename std::bool_constant<(make(), true)>; };

} // namespace

TEST_CASE("all interfaces that are named are had, and no others") {
  constexpr skh_plugin plugin = both();
  CHECK(plugin.extension(nullptr, SKH_HELD) == &Held::table);
  CHECK(plugin.extension(nullptr, SKH_EXPLAIN) == &Explain::table);
  CHECK(plugin.extension(nullptr, SKH_FACTS) == nullptr);
  CHECK(skh::withExtensions<skh::FactsOps<Finder>>(skh_plugin{}).extension(nullptr, SKH_FACTS) ==
        &skh::FactsOps<Finder>::table);
}

TEST_CASE("interfaces that are added one after another do not get lost") {
  STATIC_REQUIRE(Compiles<&both>);
  STATIC_REQUIRE(!Compiles<&oneAfterAnother>);
  CHECK_THROWS_AS(oneAfterAnother(), std::logic_error);
}

TEST_CASE("a hit needs no snippet, and the compiler does not miss it") {
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
  const skh::Hit hit{"id", 1};
#pragma GCC diagnostic pop
  CHECK(hit.snippet.empty());
}
