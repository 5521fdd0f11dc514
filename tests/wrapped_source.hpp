// SPDX-License-Identifier: Apache-2.0
// A source that filters wrap. The test sets what it lists, and sees how the filter calls it.
#pragma once

#include "awaited.hpp"
#include "plugin/source.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

// Answers on the calling thread. The test sets the public members while no call runs.
class WrappedSource final : public Source {
public:
  struct Question {
    CallOptions options;
    ResultCallback<Snapshot> answer;
  };

  const std::string &name() const noexcept override { return name_; }
  void onChanged(std::function<void()>) override {}
  void stop() override {}
  void list(CallOptions options, ResultCallback<Snapshot> answer) override {
    if (!isHeld) return answer(snapshot);
    questions.push({std::move(options), std::move(answer)});
  }
  void changes(CallOptions, std::string, ResultCallback<Changes> answer) override {
    answer(difference);
  }
  void read(CallOptions, Document, std::size_t limit, ResultCallback<std::string> answer) override {
    answer(bytes(limit));
  }
  void readEach(CallOptions, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      Result<std::string> one = bytes(limit);
      sum += one ? one->size() : 0;
      each(i, std::move(one));
    }
    mostBytesAtOnce = std::max(mostBytesAtOnce.load(), sum);
    done();
  }

  // Lists `count` documents whose lengths it does not know.
  void listOfUnknownLength(std::size_t count) {
    snapshot = {"1", {}, {}, {}};
    for (std::size_t i = 0; i < count; ++i)
      snapshot.documents.push_back(
          {"s" + std::to_string(1000 + i), "SKILL.md", "1", {}, UINT64_MAX, true, false});
  }

  Snapshot snapshot;
  Changes difference;
  std::size_t length = 0; // bytes of each document
  // True: the test answers the questions.
  bool isHeld = false;
  Awaited<Question> questions;
  std::atomic<std::size_t> mostBytesAtOnce{0}; // that one readEach() has given

private:
  Result<std::string> bytes(std::size_t limit) const {
    if (length > limit) return {Fault::TooLarge, "too large"};
    return std::string(length, 'x');
  }
  const std::string name_ = "team";
};

} // namespace skillhost
