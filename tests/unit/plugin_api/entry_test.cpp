// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include <skillhost/plugin.hpp>

namespace {

class Nothing final : public skh::Source {
public:
  Nothing(skh::Host, const skh::Call &) {}
  void list(const skh::Call &, const skh::Documents &out) override { out.done("1"); }
  void read(const skh::Call &, const skh::Document &, const skh::Bytes &) override {
    throw skh::Error(SKH_NOT_FOUND, "there is nothing");
  }
};

class Nobody final : public skh::Auth {
public:
  Nobody(skh::Host, const skh::Call &) {}
  void check(const skh::Call &) override {}
  skh::Principal validate(const skh::Call &, const skh::Credential &) override {
    throw skh::Error(SKH_DENIED, "nobody may");
  }
  std::string describe(const skh::Call &) override { return "{}"; }
};

} // namespace

SKH_PLUGINS(skh::source<Nothing>("org.example.nothing", "1.0.0", "No skills", nullptr),
            skh::auth<Nobody>("org.example.nobody", "1.0.0", "No users", nullptr, SKH_SERIAL));

TEST_CASE("an entry of several plugins lists each, and ends with NULL") {
  CHECK(skh_plugin_entry_v1.magic == SKH_MAGIC);
  CHECK(skh_plugin_entry_v1.size == sizeof(skh_entry));
  const skh_plugin *const *plugins = skh_plugin_entry_v1.plugins;
  REQUIRE(plugins[0] != nullptr);
  CHECK(std::string_view(plugins[0]->id) == "org.example.nothing");
  CHECK(std::string_view(plugins[0]->kind) == "skh.source/1");
  CHECK(plugins[0]->flags == 0);
  REQUIRE(plugins[1] != nullptr);
  CHECK(std::string_view(plugins[1]->id) == "org.example.nobody");
  CHECK(std::string_view(plugins[1]->kind) == "skh.auth/1");
  CHECK(plugins[1]->flags == SKH_SERIAL);
  CHECK(plugins[2] == nullptr);
}
