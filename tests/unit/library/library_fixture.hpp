// SPDX-License-Identifier: Apache-2.0
// A library of scripted sources.
#pragma once

#include "catch2.hpp"
#include "plugin/registry.hpp"
#include "skills/library.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace library_test {

using namespace skillhost;
namespace fs = std::filesystem;

inline std::string skillText(const std::string &name, const std::string &description = "Does it.") {
  return "---\nname: " + name + "\ndescription: " + description + "\n---\nBody of " + name + "\n";
}

inline Json document(const std::string &skill, const std::string &path, const std::string &text) {
  return {{"skill", skill}, {"path", path}, {"text", text}};
}

// A script that can be rewritten while the source runs.
class Script {
public:
  explicit Script(const Json &documents) { write(documents); }
  ~Script() { fs::remove(path_); }
  void write(const Json &documents, const Json &more = Json::object()) {
    const std::string next = path_ + ".next";
    Json all{{"documents", documents}};
    all.update(more);
    std::ofstream(next) << all.dump();
    fs::rename(next, path_);
  }
  Json configuration() const { return {{"file", path_}}; }

private:
  static std::string unused() {
    static std::atomic<int> number{0};
    return (fs::temp_directory_path() / ("skillhost-script-" + std::to_string(::getpid()) + "-" +
                                         std::to_string(++number) + ".json"))
        .string();
  }
  const std::string path_ = unused();
};

// A library with its plugins. Declare the variables that its listeners write before it: the
// library's thread ends with it, and a listener may still be called after a waiter for a catalogue
// was released.
struct Fixture {
  PluginRegistry plugins{{FIXTURE_FOLDER}};
  std::vector<std::shared_ptr<Source>> sources;
  Library library;

  explicit Fixture(std::chrono::milliseconds debounce = std::chrono::milliseconds(1),
                   SkillRules rules = {})
      : library(std::move(rules), debounce) {}

  void add(const std::string &name, const Json &configuration) {
    auto made = plugins.makeSource({name, "scripted", configuration.dump(), {}});
    REQUIRE(made);
    sources.push_back(*std::move(made));
  }
  std::shared_ptr<const Catalogue> start() {
    library.start(sources);
    std::promise<void> ready;
    library.whenReady([&] { ready.set_value(); });
    ready.get_future().wait();
    return library.catalogue();
  }
  std::shared_ptr<const Catalogue> reload() {
    std::promise<void> done;
    library.reload([&] { done.set_value(); });
    done.get_future().wait();
    return library.catalogue();
  }
  std::shared_ptr<const Catalogue> replace(const std::vector<Library::NewSource> &next,
                                           std::shared_ptr<const SkillRules> rules = nullptr) {
    std::promise<void> published;
    library.replace(
        next, std::move(rules), [&](std::uint64_t generation) { taken = generation; },
        [&] { published.set_value(); });
    published.get_future().wait();
    return library.catalogue();
  }
  std::uint64_t taken = 0; // the last generation of the sources before
};

} // namespace library_test
