// SPDX-License-Identifier: Apache-2.0
// A source that could not be made. It keeps its place among the others, and fails with the reason.
#pragma once

#include "plugin/source.hpp"

#include <string>
#include <utility>

namespace skillhost::app {

class AbsentSource final : public Source {
public:
  AbsentSource(std::string name, Failure why) : name_(std::move(name)), why_(std::move(why)) {}

  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()> /*listener*/) override {}
  void stop() override {}
  bool isAbsent() const noexcept override { return true; }
  void list(CallOptions /*options*/, ResultCallback<Snapshot> answer) override { answer(why_); }
  void changes(CallOptions /*options*/, std::string /*since*/,
               ResultCallback<Changes> answer) override {
    answer(why_);
  }
  void read(CallOptions /*options*/, Document /*document*/, std::size_t /*limit*/,
            ResultCallback<std::string> answer) override {
    answer(why_);
  }
  void readEach(CallOptions /*options*/, std::vector<Document> documents, std::size_t /*limit*/,
                Each each, std::function<void()> done) override {
    for (std::size_t i = 0; i < documents.size(); ++i) each(i, why_);
    done();
  }

private:
  const std::string name_;
  const Failure why_;
};

} // namespace skillhost::app
