// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"

#include "access/access.hpp"
#include "listings.hpp"
#include "offered_result.hpp"
#include "offers.hpp"
#include "offers_view.hpp"
#include "request_state.hpp"
#include "uri_template.hpp"

#include <algorithm>

using namespace skillhost;

namespace {

// Gives the list it was told to; nothing else is asked of it.
class Provider final : public ToolProvider {
public:
  explicit Provider(std::string list) : list_(std::move(list)) {}
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()> listener) override { changed = std::move(listener); }
  void stop() override {}
  void remark(std::string text) override { remarks = std::move(text); }
  void list(CallOptions, std::size_t, Answer<std::string> answer) override { answer(list_); }
  void callTool(CallOptions, Exchange, std::string, std::string, std::size_t,
                Answer<std::string>) override {}
  void getPrompt(CallOptions, Exchange, std::string, std::string, std::size_t,
                 Answer<std::string>) override {}
  void readResource(CallOptions, Exchange, std::string, std::size_t, Answer<std::string>) override {
  }
  void complete(CallOptions, CompletionRequest, std::size_t, Answer<std::string>) override {}

  void become(std::string list) {
    list_ = std::move(list);
    changed();
  }
  std::function<void()> changed;
  std::string remarks;

private:
  const std::string name_ = "plugin";
  std::string list_;
};

std::string toolNamed(const std::string &name) {
  return R"({"name":")" + name + R"(","inputSchema":{"type":"object"}})";
}
std::string toolsNamed(const std::string &name) { return R"({"tools":[)" + toolNamed(name) + "]}"; }

Result<OfferedResult> toolResult(const char *text) {
  return readOfferedResult(OfferedKind::Tool, text, Json{{"sampling", Json::object()}});
}

} // namespace

TEST_CASE("entries that break a rule are withheld, the others are not") {
  const auto provider = std::make_shared<Provider>("");
  const auto lists = readOffers(R"({"tools":[)" + toolNamed("good") + "," + toolNamed("b d") +
                                    R"(,{"name":"bare"},7],"resources":[
       {"uri":"skill://a/b","name":"n"},{"uri":"test://a","name":"n"},{"uri":"none","name":"n"}]})",
                                provider);
  REQUIRE(lists);
  REQUIRE(lists->tools.size() == 1);
  CHECK(lists->tools[0].key == "good");
  REQUIRE(lists->resources.size() == 1);
  CHECK(lists->resources[0].key == "test://a");
  CHECK(lists->withheld.size() == 5);
  CHECK_FALSE(readOffers("[]", provider));
  CHECK_FALSE(readOffers(R"({"tools":{}})", provider));
}

TEST_CASE("a name that is taken is withheld, and said so") {
  const auto first = std::make_shared<Provider>(R"({"tools":[)" + toolNamed("mine") + "," +
                                                toolNamed("load_skill") + "]}");
  const auto second = std::make_shared<Provider>(toolsNamed("mine"));
  Offers offers(true);
  CHECK_FALSE(offers.ready());
  int told = 0;
  offers.attach({first, second}, std::chrono::seconds(1),
                [&](const OfferSetPointer &now, const OfferSetPointer &before) {
                  const OffersChanged changed = difference(*now, *before);
                  CHECK(changed.tools);
                  CHECK_FALSE(changed.prompts);
                  ++told;
                });
  CHECK(offers.ready());
  CHECK(told == 0);
  REQUIRE(offers.current()->tools().size() == 1);
  CHECK(offers.current()->tool("mine")->provider == first);
  CHECK(offers.current()->tool("load_skill") == nullptr);
  CHECK(first->remarks.find("load_skill") != std::string::npos);
  CHECK(second->remarks.find("mine") != std::string::npos);

  second->become(toolsNamed("other"));
  CHECK(told == 1);
  CHECK(offers.current()->tool("other") != nullptr);
  second->become("no JSON"); // what it gave before still holds
  CHECK(told == 1);
  CHECK(offers.current()->tool("other") != nullptr);
  offers.end();
  CHECK(offers.current()->tools().empty());
}

TEST_CASE("a URI fits the template it was made from") {
  CHECK(fitsTemplate("test://template/{id}/data", "test://template/123/data"));
  CHECK_FALSE(fitsTemplate("test://template/{id}/data", "test://template//data"));
  CHECK_FALSE(fitsTemplate("test://template/{id}/data", "test://template/1/2/data"));
  CHECK(fitsTemplate("f:///{+path}", "f:///a/b"));
  CHECK(fitsTemplate("f:///a{?q}", "f:///a"));
  CHECK(fitsTemplate("x:{a}{b}", "x:12"));
  CHECK_FALSE(fitsTemplate("x:y", "x:yz"));
  // No expression makes it slow.
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
  const RequestSeal seal;
  const RequestSeal::Binding binding{"plugin", "tools/call", "tool", "{}", "me"};
  const auto now = RequestSeal::Clock::now();
  const std::string sealed = seal.seal(binding, "state", now);
  REQUIRE(seal.open(binding, sealed, now));
  CHECK(*seal.open(binding, sealed, now) == "state");
  CHECK_FALSE(seal.open(binding, sealed, now + RequestSeal::lasts + std::chrono::seconds(2)));
  CHECK_FALSE(seal.open(binding, sealed + "-TAMPERED", now));
  CHECK_FALSE(seal.open(binding, "", now));
  CHECK_FALSE(RequestSeal().open(binding, sealed, now));
  for (std::size_t i = 0; i < binding.size(); ++i) {
    RequestSeal::Binding other = binding;
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
  Offers offers(true);
  OffersChanged told;
  offers.attach({provider}, std::chrono::seconds(1),
                [&](const OfferSetPointer &now, const OfferSetPointer &before) {
                  const Visibility::Key stranger{false};
                  told = difference(*seenOffers(&access, stranger, now),
                                    *seenOffers(&access, stranger, before));
                });
  const Principal ada{"ada", "house", {"staff"}, {}, 0};
  const auto whole = offers.current();
  CHECK(seenOffers(&access, access.visibility().keyOf(&ada), whole) == whole);
  CHECK(seenOffers(nullptr, {}, whole) == whole);
  const auto seen = seenOffers(&access, access.visibility().keyOf(nullptr), whole);
  CHECK(seen->tool("mine") == nullptr);
  CHECK(seen->prompt("p") == nullptr);
  CHECK(seen->resource("test://a") == nullptr);
  CHECK(seen->uriTemplate("test://{x}") == nullptr);
  CHECK(seen->generation() == whole->generation());
  // Two views of one generation are two things to what keeps lists.
  CHECK(pageKey("tools", *seen, {}) != pageKey("tools", *whole, {}));
  provider->become(toolsNamed("other"));
  CHECK_FALSE(told.any());
}
