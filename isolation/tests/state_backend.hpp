// SPDX-License-Identifier: Apache-2.0
// Runs a state instance of the test plugin `sharing` in a thread or a process and waits for its
// answers.
#pragma once

#include "catch2.hpp"
#include "running.hpp"

#include "plugin/registry.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace running {

using skillhost::Done;
using skillhost::Isolation;
using skillhost::StateErased;
using skillhost::StateMessage;
using skillhost::Status;

class State {
  std::unique_ptr<skillhost::PluginRegistry> plugins_; // outlives the instance

public:
  using Span = skillhost::StateBackend::Span;
  static constexpr Span forGood{0};
  static constexpr std::chrono::milliseconds patience{20'000}; // limit for calls that must succeed

  explicit State(Isolation isolation, const Json &config = Json::object(), std::size_t threads = 0)
      : State(configurationOf(isolation, config, threads)) {}

  std::shared_ptr<skillhost::StateBackend> backend;

  Status check() {
    return wait<Done>([&](auto answer) { backend->check(within(patience), answer); });
  }
  Result<std::optional<std::string>> get(const std::string &key, Span expiry = forGood) {
    return wait<std::optional<std::string>>(
        [&](auto answer) { backend->get(within(patience), key, expiry, answer); });
  }
  Status put(const std::string &key, const std::string &value, Span expiry = forGood) {
    return wait<Done>(
        [&](auto answer) { backend->put(within(patience), key, value, expiry, answer); });
  }
  Result<bool> compareAndSet(const std::string &key, const std::optional<std::string> &expected,
                             const std::string &value, Span expiry = forGood) {
    return wait<bool>([&](auto answer) {
      backend->compareAndSet(within(patience), key, expected, value, expiry, answer);
    });
  }
  Result<StateErased> erase(const std::string &key,
                            const std::optional<std::string> &expected = std::nullopt) {
    return wait<StateErased>(
        [&](auto answer) { backend->erase(within(patience), key, expected, answer); });
  }
  Result<std::int64_t> add(const std::string &key, std::int64_t delta, Span expiry = forGood) {
    return wait<std::int64_t>(
        [&](auto answer) { backend->add(within(patience), key, delta, expiry, answer); });
  }
  Status publish(const std::string &channel, const std::string &payload) {
    return wait<Done>(
        [&](auto answer) { backend->publish(within(patience), channel, payload, answer); });
  }
  Status subscribe(const std::string &channel) {
    return wait<Done>([&](auto answer) { backend->subscribe(within(patience), channel, answer); });
  }
  Result<bool> unsubscribe(const std::string &channel) {
    return wait<bool>(
        [&](auto answer) { backend->unsubscribe(within(patience), channel, answer); });
  }
  Result<std::vector<StateMessage>> receive(std::chrono::milliseconds span = patience) {
    return receive(within(span));
  }
  Result<std::vector<StateMessage>> receive(const CallOptions &options) {
    return wait<std::vector<StateMessage>>([&](auto answer) { backend->receive(options, answer); });
  }

  skillhost::PluginDescription description() {
    for (const skillhost::PluginDescription &one : plugins_->describe(false))
      if (one.instance == "shared") return one;
    return {};
  }

private:
  static skillhost::InstanceConfiguration configurationOf(Isolation isolation, const Json &config,
                                                          std::size_t threads) {
    skillhost::InstanceConfiguration configuration;
    configuration.name = "shared";
    configuration.plugin = fixtures + "/sharing.so";
    configuration.config = config.dump();
    configuration.run.isolation = isolation;
    configuration.run.threads = threads;
    // Allows the folder and not the file, because the file is replaced.
    if (config.contains("file"))
      configuration.run.allowRead.push_back(
          std::filesystem::path(config["file"].get<std::string>()).parent_path().string());
    return configuration;
  }
  explicit State(const skillhost::InstanceConfiguration &configuration) {
    skillhost::PluginSettings settings;
    settings.isolation = skillhost::makeIsolation(runner);
    plugins_ = std::make_unique<skillhost::PluginRegistry>(std::vector<std::string>{fixtures},
                                                           std::move(settings));
    auto made = plugins_->makeState(configuration);
    INFO((made ? std::string() : made.failure().message));
    REQUIRE(made);
    backend = *std::move(made);
  }
};

// A test that calls this runs once with each kind of isolation.
inline Isolation eitherIsolation() { return GENERATE(Isolation::Thread, Isolation::Process); }

// Returns the fault of a failed result. The test fails if the result is not a failure.
template <class T> skillhost::Fault faultOf(const Result<T> &result) {
  REQUIRE(!result);
  return result.failure().fault;
}

} // namespace running
