// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "access/access.hpp"
#include "mcp/listings.hpp"
#include "mcp/own_tools.hpp"
#include "mcp/plugin_tools.hpp"
#include "mcp/plugin_tools_view.hpp"
#include "mcp/request_state.hpp"
#include "plugin_result.hpp"
#include "provider.hpp"
#include "uri_template.hpp"

#include <algorithm>

using namespace skillhost;

namespace {

Result<PluginResult> toolResult(const char *text) {
  return readPluginResult(PluginResultKind::Tool, text, Json{{"sampling", Json::object()}});
}

} // namespace

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
  CHECK(lists->withheld.size() == 5);
  CHECK_FALSE(readPluginTools("[]", provider));
  CHECK_FALSE(readPluginTools(R"({"tools":{}})", provider));
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

TEST_CASE("a URI fits the template it was made from") {
  CHECK(fitsTemplate("test://template/{id}/data", "test://template/123/data"));
  CHECK_FALSE(fitsTemplate("test://template/{id}/data", "test://template//data"));
  CHECK_FALSE(fitsTemplate("test://template/{id}/data", "test://template/1/2/data"));
  CHECK(fitsTemplate("f:///{+path}", "f:///a/b"));
  CHECK(fitsTemplate("f:///a{?q}", "f:///a"));
  CHECK(fitsTemplate("x:{a}{b}", "x:12"));
  CHECK_FALSE(fitsTemplate("x:y", "x:yz"));
  // No expression makes the match slow.
  std::string many = "x:";
  for (int i = 0; i < 100; ++i) many += "{+a}b";
  CHECK_FALSE(fitsTemplate(many, "x:" + std::string(2000, 'a')));
}

TEST_CASE("results are held to their shape") {
  CHECK(toolResult(R"({"content":[{"type":"text","text":"a"}],"isError":true})"));
  for (const char *wrong :
       {"", "[]", "{}", R"({"content":[{"type":"text"}]})", R"({"content":[],"isError":1})",
        R"({"content":[{"type":"other"}]})", R"({"content":[],"resultType":"odd"})",
        R"({"content":[],"structuredContent":[]})"})
    CHECK_FALSE(toolResult(wrong));
  const auto structured = toolResult(R"({"structuredContent":{"a":1},"_meta":{"x":2}})");
  REQUIRE(structured);
  CHECK(structured->members["content"][0]["text"] == R"({"a":1})");
  CHECK(structured->meta["x"] == 2);
  CHECK_FALSE(structured->members.contains("_meta"));
}

TEST_CASE("required input names what the client lacks") {
  const auto asked = toolResult(
      R"({"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"elicitation/create"},"b":{"method":"sampling/createMessage","params":{}}}})");
  REQUIRE(asked);
  CHECK(asked->inputRequired);
  CHECK(asked->requestState == "s");
  CHECK(asked->missingCapabilities == Json{{"elicitation", Json::object()}});
  CHECK_FALSE(toolResult(R"({"resultType":"input_required"})"));
  CHECK_FALSE(toolResult(
      R"({"resultType":"input_required","inputRequests":{"a":{"method":"tools/call"}}})"));
}

TEST_CASE("a sealed state opens for what it was sealed for") {
  const SignedRequestState seal;
  const SignedRequestState::Binding binding{"plugin", "tools/call", "tool", "{}", "me"};
  const auto now = SignedRequestState::Clock::now();
  const std::string sealed = seal.seal(binding, "state", now);
  REQUIRE(seal.open(binding, sealed, now));
  CHECK(*seal.open(binding, sealed, now) == "state");
  CHECK_FALSE(
      seal.open(binding, sealed, now + SignedRequestState::lasts + std::chrono::seconds(2)));
  CHECK_FALSE(seal.open(binding, sealed + "-TAMPERED", now));
  CHECK_FALSE(seal.open(binding, "", now));
  CHECK_FALSE(SignedRequestState().open(binding, sealed, now));
  for (std::size_t i = 0; i < binding.size(); ++i) {
    SignedRequestState::Binding other = binding;
    other[i] += "x";
    CHECK_FALSE(seal.open(other, sealed, now));
  }
  std::string later = sealed;
  later[15] = later[15] == 'f' ? '0' : 'f'; // its expiry
  CHECK_FALSE(seal.open(binding, later, now));
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

TEST_CASE("a plugin's result and its schema are of the form that was asked for") {
  const auto shaped = [](const char *text, ResultForm form) {
    Result<PluginResult> read = toolResult(text);
    REQUIRE(read);
    shapeToolResult(read->members, form);
    return read->members;
  };
  const char *const both = R"({"content":[{"type":"text","text":"one"},
    {"type":"image","data":"AA==","mimeType":"image/png"}],"structuredContent":{"n":1}})";
  CHECK(shaped(both, ResultForm::Both)["content"].size() == 2);
  CHECK(shaped(both, ResultForm::Both).contains("structuredContent"));
  CHECK(shaped(both, ResultForm::Text)["content"].size() == 2);
  CHECK_FALSE(shaped(both, ResultForm::Text).contains("structuredContent"));
  const Json structured = shaped(both, ResultForm::Structured);
  REQUIRE(structured["content"].size() == 1);
  CHECK(structured["content"][0]["type"] == "image");
  CHECK(structured["structuredContent"]["n"] == 1);
  // Nothing is lost where the result has the data alone, or the text alone.
  for (const char *const data :
       {R"({"structuredContent":{"n":1}})", R"({"content":[],"structuredContent":{"n":1}})"})
    CHECK(shaped(data, ResultForm::Text)["content"][0]["text"] == R"({"n":1})");
  const char *const words = R"({"content":[{"type":"text","text":"one"}]})";
  CHECK(shaped(words, ResultForm::Structured)["content"].size() == 1);
  const char *const failed =
      R"({"content":[{"type":"text","text":"no"}],"structuredContent":{},"isError":true})";
  CHECK(shaped(failed, ResultForm::Structured)["content"].size() == 1);

  const auto lists = readPluginTools(
      R"({"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}},)" +
          toolNamed("b") + "]}",
      std::make_shared<Provider>(""));
  REQUIRE(lists);
  CHECK(lists->tools[0].text.find("outputSchema") != std::string::npos);
  CHECK(lists->tools[0].textWithoutSchema == toolNamed("a"));
  CHECK(lists->tools[1].textWithoutSchema.empty());
}
