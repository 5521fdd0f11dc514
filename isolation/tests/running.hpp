// SPDX-License-Identifier: Apache-2.0
// Runs a source in a process of its own and waits for its answers.
#pragma once

#include "isolation/isolation.hpp"
#include "process/proxy.hpp"
#include "source_instance.hpp"

#include "plugin_calls/library.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <future>
#include <memory>
#include <string>

namespace running {

using skillhost::CallOptions;
using skillhost::Json;
using skillhost::Result;

inline const std::string fixtures = FIXTURE_FOLDER; // folder of the test plugins
inline const std::string scripted = fixtures + "/scripted.so";
inline const std::string runner = RUNNER; // path of skillhost-runner

// Returns the first plugin of a file, as a host would find it.
skillhost::PluginFacts factsOf(const std::string &file);

// The members are destroyed in reverse order, the instance before its proxy.
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
  // Shared, because the thread that sets the promise may still use it after it is read.
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
