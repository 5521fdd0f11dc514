// SPDX-License-Identifier: Apache-2.0
// A plugin with tools, a prompt and resources that need different permissions. Each answers who
// calls it and what that caller may do.
#include <skillhost/tools.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace {

using Json = nlohmann::json;

Json entry(const char *key, const std::string &name, const char *permission) {
  Json made{{key, name}};
  if (permission != nullptr) made["_meta"] = {{"org.skillhost/permission", permission}};
  return made;
}

Json tool(const std::string &name, const char *permission) {
  Json made = entry("name", name, permission);
  made["inputSchema"] = {{"type", "object"}};
  return made;
}

Json resource(const std::string &uri, const char *permission) {
  Json made = entry("uri", uri, permission);
  made["name"] = uri;
  return made;
}

std::string describeCaller(const skh::Exchange &exchange) {
  return Json{{"issuer", exchange.issuer()},
              {"subject", exchange.subject()},
              {"reads", exchange.callerHas(SKH_CALLER_READS)},
              {"manages", exchange.callerHas(SKH_CALLER_MANAGES)},
              {"reviews", exchange.callerHas(SKH_CALLER_REVIEWS)},
              {"sees_all", exchange.callerHas(SKH_CALLER_SEES_ALL)}}
      .dump();
}

class Permitting final : public skh::Tools {
public:
  Permitting(skh::Host, const skh::Call &) {}

  std::string list(const skh::Call &) override {
    return Json{
        {"tools",
         {tool("open", nullptr), tool("reading", "read"), tool("managing", "manage"),
          tool("reviewing", "review"), tool("misspelt", "admin")}},
        {"prompts", {entry("name", "managed", "manage"), entry("name", "release-notes", "manage")}},
        {"resources", {resource("test://managed", "manage"), resource("test://open", nullptr)}}}
        .dump();
  }

  std::string callTool(const skh::Call &, const skh::Exchange &exchange, std::string_view,
                       std::string_view) override {
    return Json{{"content", {{{"type", "text"}, {"text", describeCaller(exchange)}}}}}.dump();
  }

  std::string getPrompt(const skh::Call &, const skh::Exchange &exchange, std::string_view,
                        std::string_view) override {
    return Json{
        {"messages",
         {{{"role", "user"}, {"content", {{"type", "text"}, {"text", describeCaller(exchange)}}}}}}}
        .dump();
  }

  std::string readResource(const skh::Call &, const skh::Exchange &exchange,
                           std::string_view uri) override {
    return Json{{"contents", {{{"uri", uri}, {"text", describeCaller(exchange)}}}}}.dump();
  }
};

} // namespace

SKH_PLUGIN(skh::tools<Permitting>("org.skillhost.test.permitting", "1.0.0",
                                  "Has tools that need permissions.",
                                  R"({"type":"object","additionalProperties":false})"));
