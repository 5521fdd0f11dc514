// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "rpc/client_capabilities.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace skillhost;

TEST_CASE("capabilities go through flags, and what is not known is left out") {
  const auto through = [](const std::string &text) {
    return Json::parse(capabilitiesText(capabilityFlags(Json::parse(text))));
  };
  const std::string all =
      R"({"roots":{"listChanged":true},"sampling":{"tools":{},"context":{}},"elicitation":{"form":{},"url":{}}})";
  CHECK(through(all) == Json::parse(all));
  CHECK(through(R"({"sampling":{},"roots":{"listChanged":false}})") ==
        Json::parse(R"({"roots":{},"sampling":{}})"));
  CHECK(through(R"({"experimental":{"x":1},"elicitation":{"more":{}}})") ==
        Json::parse(R"({"elicitation":{}})"));
  CHECK(through("{}") == Json::object());
  CHECK(capabilityFlags(Json::parse(R"([1])")) == 0);
  CHECK(capabilityFlags(Json::parse(R"({"sampling":true})")) != 0);
}
