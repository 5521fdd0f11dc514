// SPDX-License-Identifier: Apache-2.0
// A real auth plugin behind an authenticator, with clocks that a test turns.
#pragma once

#include "access/authenticator.hpp"
#include "base/metrics.hpp"
#include "catch2.hpp"
#include "plugin/registry.hpp"

#include <atomic>
#include <future>
#include <memory>
#include <string>

// Each instance has a name of its own, so that its metrics are separate.
struct ScriptedProvider {
  static std::string nextName() {
    static std::atomic<int> made{0};
    return "auth-" + std::to_string(++made);
  }

  explicit ScriptedProvider(const std::string &config, skillhost::AuthenticatorRules rules = {}) {
    auto provider = plugins.makeAuth({name, "scripted_auth", config, {}});
    REQUIRE(provider);
    skillhost::AccessClock clock = skillhost::AccessClock::systemClocks();
    clock.monotonic = [this] {
      return std::chrono::steady_clock::time_point(std::chrono::seconds(passed.load()));
    };
    authenticator = std::make_unique<skillhost::Authenticator>(*provider, rules, std::move(clock));
  }

  using Answer = skillhost::Result<skillhost::PrincipalPointer>;
  std::future<Answer> ask(std::string_view token, const skillhost::CancelToken &cancel = {},
                          std::string_view peer = "127.0.0.1:1") {
    auto answered = std::make_shared<std::promise<Answer>>();
    authenticator->authenticate({"bearer", token, "https://skills.example/mcp", peer}, cancel,
                                [answered](const Answer &answer) { answered->set_value(answer); });
    return answered->get_future();
  }
  // Returns the number of calls of the plugin's validate.
  int validations() const {
    for (const auto &one : skillhost::metrics::all().snapshot())
      if (const auto instance = one.name.labels.find("instance");
          instance != one.name.labels.end() && instance->second == name &&
          one.name.name == "skillhost_plugin_scripted_validate")
        return static_cast<int>(one.number);
    return 0;
  }

  const std::string name = nextName();
  std::atomic<int> passed{1'000}; // seconds
  skillhost::PluginRegistry plugins{{FIXTURE_FOLDER}};
  std::unique_ptr<skillhost::Authenticator> authenticator;
};
