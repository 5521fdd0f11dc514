// SPDX-License-Identifier: Apache-2.0
// A plugin with tools, for tests of the host's use of it.
#pragma once

#include "plugin/tools.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace skillhost {

// Gives the list that the test set; it has no other answers.
class Provider : public ToolProvider {
public:
  explicit Provider(std::string list) : list_(std::move(list)) {}
  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()> listener) override { changed = std::move(listener); }
  void stop() override {}
  void setRemark(std::string text) override { remarks = std::move(text); }
  void list(CallOptions, std::size_t, ResultCallback<std::string> answer) override {
    answer(list_);
  }
  void callTool(CallOptions, Exchange, std::string, std::string, std::size_t,
                ResultCallback<std::string>) override {}
  void getPrompt(CallOptions, Exchange, std::string, std::string, std::size_t,
                 ResultCallback<std::string>) override {}
  void readResource(CallOptions, Exchange, std::string, std::size_t,
                    ResultCallback<std::string>) override {}
  void complete(CallOptions, CompletionRequest, std::size_t, ResultCallback<std::string>) override {
  }

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

inline std::string toolNamed(const std::string &name) {
  return R"({"name":")" + name + R"(","inputSchema":{"type":"object"}})";
}
inline std::string toolsNamed(const std::string &name) {
  return R"({"tools":[)" + toolNamed(name) + "]}";
}

} // namespace skillhost
