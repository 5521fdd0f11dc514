// SPDX-License-Identifier: Apache-2.0
// A source in a process of its own, and waiting for its answers.
#pragma once

#include "isolation/isolation.hpp"
#include "process/proxy.hpp"
#include "source_instance.hpp"

#include "library.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <string>

namespace running {

using skillhost::CallOptions;
using skillhost::Json;
using skillhost::Result;

inline const std::string fixtures = FIXTURE_FOLDER; // where the plugins of the tests are
inline const std::string scripted = fixtures + "/scripted.so";
inline const std::string runner = RUNNER; // the program skillhost-runner

// The first plugin of a file, found as a host would find its own.
skillhost::PluginFacts factsOf(const std::string &file);

// Members in the order of their making: the instance goes first.
struct Running {
  std::unique_ptr<skillhost::process::Proxy> proxy;
  std::shared_ptr<skillhost::Instance> instance;
  std::unique_ptr<skillhost::SourceInstance> source;
};
std::unique_ptr<skillhost::process::Proxy> proxyFor(const std::string &file,
                                                    std::vector<std::string> mayRead = {});
Running start(const std::string &file, const Json &config, std::vector<std::string> mayRead = {},
              const std::string &cache = {});

template <class T, class Ask> Result<T> wait(Ask ask) {
  // Shared: who sets it may still be busy with it when it is read.
  auto promise = std::make_shared<std::promise<Result<T>>>();
  ask([promise](Result<T> result) { promise->set_value(std::move(result)); });
  return promise->get_future().get();
}

inline CallOptions within(std::chrono::milliseconds span) {
  CallOptions options;
  options.deadline = skillhost::Deadline::after(span);
  return options;
}

Result<skillhost::Snapshot> list(Running &running, const CallOptions &options = {});
Result<std::string> read(Running &running, const skillhost::Document &document,
                         const CallOptions &options = {}, std::size_t limit = 64U << 20U);

inline Json document(const std::string &skill, const std::string &text) {
  return {{"skill", skill}, {"path", "SKILL.md"}, {"text", text}};
}
inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace running
