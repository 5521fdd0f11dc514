// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "access/access.hpp"
#include "mcp/listings.hpp"
#include "mcp/own_tools.hpp"
#include "mcp/plugin_tools.hpp"
#include "mcp/plugin_tools_view.hpp"
#include "provider.hpp"
#include "rpc/plugin_result.hpp"

#include <algorithm>

using namespace skillhost;

TEST_CASE("entries that break a rule are withheld, the others are not") {
  const auto provider = std::make_shared<Provider>("");
  const auto lists = readPluginTools(R"({"tools":[)" + toolNamed("good") + "," + toolNamed("b d") +
                                         R"(,{"name":"bare"},7],"resources":[
       {"uri":"skill://a/b","name":"n"},{"uri":"test://a","name":"n"},{"uri":"none","name":"n"}]})",
                                     provider);
  REQUIRE(lists);
  REQUIRE(lists->tools.size() == 1);
  CHECK(lists->tools[0].key == "good");
  REQUIRE(lists->resources.size() == 1);
  CHECK(lists->resources[0].key == "test://a");
  CHECK(lists->problems.size() == 5);
  CHECK_FALSE(readPluginTools("[]", provider));
  CHECK_FALSE(readPluginTools(R"({"tools":{}})", provider));
}

TEST_CASE("an entry names the permission that its callers need") {
  const auto provider = std::make_shared<Provider>("");
  const auto needed = [&](const std::string &meta) {
    const auto lists =
        readPluginTools(R"({"prompts":[{"name":"one","_meta":)" + meta + "}]}", provider);
    REQUIRE(lists);
    return lists->prompts.empty() ? Permission::Nothing : lists->prompts[0].need;
  };
  CHECK(needed("{}") == Permission::Read);
  CHECK(needed(R"({"org.skillhost/permission":"read"})") == Permission::Read);
  CHECK(needed(R"({"org.skillhost/permission":"manage"})") == Permission::Manage);
  CHECK(needed(R"({"org.skillhost/permission":"review"})") == Permission::Review);
  // A permission that does not exist must not leave the entry open to everybody.
  for (const char *wrong : {R"("admin")", R"("Manage")", R"("")", "2", "null", R"(["manage"])"}) {
    CAPTURE(wrong);
    CHECK(needed(std::string(R"({"org.skillhost/permission":)") + wrong + "}") ==
          Permission::Nothing);
  }
}

TEST_CASE("a URI that would run code, or is the content itself, reaches no client") {
  const auto provider = std::make_shared<Provider>("");
  const auto listed = [&](const std::string &uri) {
    const auto lists =
        readPluginTools(R"({"resources":[{"uri":")" + uri +
                            R"(","name":"n"}],"resourceTemplates":[{"uriTemplate":")" + uri +
                            R"({x}","name":"n"}]})",
                        provider);
    REQUIRE(lists);
    return lists->resources.size() + lists->templates.size();
  };
  const auto linked = [](const std::string &uri) {
    const auto result = [](const std::string &block) {
      return readPluginResult(PluginResultKind::Tool, R"({"content":[)" + block + "]}",
                              Json::object());
    };
    return static_cast<int>(static_cast<bool>(
               result(R"({"type":"resource_link","name":"n","uri":")" + uri + R"("})"))) +
           static_cast<int>(static_cast<bool>(
               result(R"({"type":"resource","resource":{"text":"t","uri":")" + uri + R"("}})")));
  };
  for (const char *good : {"test://a", "https://a.example/data:x", "javascripts:x", "file:///a"}) {
    CAPTURE(good);
    CHECK(listed(good) == 2);
    CHECK(linked(good) == 2);
  }
  for (const char *bad : {"javascript:alert(1)", "JavaScript:x", "data:text/html,<b>", "DATA:,x",
                          "vbscript:x", "java\\tscript:x", " javascript:x"}) {
    CAPTURE(bad);
    CHECK(listed(bad) == 0);
    CHECK(linked(bad) == 0);
  }
}

TEST_CASE("a name that is taken is withheld, and said so") {
  const auto first = std::make_shared<Provider>(R"({"tools":[)" + toolNamed("mine") + "," +
                                                toolNamed("load_skill") + "]}");
  const auto second = std::make_shared<Provider>(toolsNamed("mine"));
  PluginTools pluginTools(true, OwnTools());
  CHECK_FALSE(pluginTools.ready());
  int told = 0;
  pluginTools.attach({first, second}, std::chrono::seconds(1),
                     [&](const PluginToolSetPointer &now, const PluginToolSetPointer &before) {
                       if (!pluginTools.ready()) return;
                       const PluginToolsChanged changed = difference(*now, *before);
                       CHECK(changed.tools);
                       CHECK_FALSE(changed.prompts);
                       ++told;
                     });
  CHECK(pluginTools.ready());
  CHECK(told == 0);
  REQUIRE(pluginTools.current()->tools().size() == 1);
  CHECK(pluginTools.current()->tool("mine")->provider == first);
  CHECK(pluginTools.current()->tool("load_skill") == nullptr);
  CHECK(first->remarks.find("load_skill") != std::string::npos);
  CHECK(second->remarks.find("mine") != std::string::npos);

  second->become(toolsNamed("other"));
  CHECK(told == 1);
  CHECK(pluginTools.current()->tool("other") != nullptr);
  second->become("no JSON"); // its earlier list still holds
  CHECK(told == 1);
  CHECK(pluginTools.current()->tool("other") != nullptr);
  pluginTools.end();
  CHECK(pluginTools.current()->tools().empty());
}

TEST_CASE("who does not see an instance is shown nothing that it offers, and told of no change") {
  const auto provider = std::make_shared<Provider>(R"({"tools":[)" + toolNamed("mine") +
                                                   R"(],"prompts":[{"name":"p"}],"resources":[
         {"uri":"test://a","name":"n"}],"resourceTemplates":[{"uriTemplate":"test://{x}","name":"n"}]})");
  AccessSettings settings;
  settings.visibility = {{{"plug*"}, {}, {"staff"}, {}}};
  const Access access(settings, nullptr);
  PluginTools pluginTools(true, OwnTools());
  PluginToolsChanged told;
  pluginTools.attach({provider}, std::chrono::seconds(1),
                     [&](const PluginToolSetPointer &now, const PluginToolSetPointer &before) {
                       if (!pluginTools.ready()) return;
                       const auto stranger = access.visibility().keyOf(nullptr);
                       told = difference(*seenPluginTools(stranger, now),
                                         *seenPluginTools(stranger, before));
                     });
  const Principal ada{"ada", "house", {"staff"}, {}, 0};
  const auto whole = pluginTools.current();
  CHECK(seenPluginTools(access.visibility().keyOf(&ada), whole) == whole);
  CHECK(seenPluginTools({}, whole) == whole);
  const auto seen = seenPluginTools(access.visibility().keyOf(nullptr), whole);
  CHECK(seen->tool("mine") == nullptr);
  CHECK(seen->prompt("p") == nullptr);
  CHECK(seen->resource("test://a") == nullptr);
  CHECK(seen->uriTemplate("test://{x}") == nullptr);
  CHECK(seen->generation() == whole->generation());
  // The cache of lists distinguishes two views of one generation.
  CHECK(pageKey("tools", *seen, {}) != pageKey("tools", *whole, {}));
  provider->become(toolsNamed("other"));
  CHECK_FALSE(told.any());
}

TEST_CASE("a tool that names the schema of its result is listed without it, too") {
  const auto lists = readPluginTools(
      R"({"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}},)" +
          toolNamed("b") + "]}",
      std::make_shared<Provider>(""));
  REQUIRE(lists);
  CHECK(lists->tools[0].listEntry.find("outputSchema") != std::string::npos);
  CHECK(lists->tools[0].listEntryWithoutSchema == toolNamed("a"));
  CHECK(lists->tools[1].listEntryWithoutSchema.empty());
}
