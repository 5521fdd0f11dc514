// SPDX-License-Identifier: Apache-2.0
// Tests what becomes of the result of a plugin's tool.
#include "catch2.hpp"
#include "plugin/registry.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <string>

using namespace skillhost;

TEST_CASE("a result that is too long is the plugin's fault, and not that of the arguments") {
  PluginRegistry plugins({FIXTURE_FOLDER});
  const auto tools = plugins.makeTools({"tl", "mirroring", "{}", {}});
  REQUIRE(tools);
  const auto call = [&](std::size_t limit) {
    const auto answered = std::make_shared<std::promise<Result<std::string>>>();
    (*tools)->callTool(
        {Deadline::after(std::chrono::seconds(30)), {}, nullptr}, {}, "regional", "{}", limit,
        [answered](Result<std::string> result) { answered->set_value(std::move(result)); });
    return answered->get_future().get();
  };
  CHECK(call(1000));
  const Result<std::string> refused = call(8);
  REQUIRE_FALSE(refused);
  CHECK(refused.failure().fault == Fault::Internal);
  CHECK(refused.failure().message == "tl: regional: its result is longer than 8 bytes");
}
