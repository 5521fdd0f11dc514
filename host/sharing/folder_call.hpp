// SPDX-License-Identifier: Apache-2.0
// One call on the executor of a shared source, where the file system may keep it waiting.
#pragma once

#include "base/log.hpp"
#include "plugin/call.hpp"
#include "plugin/executor.hpp"

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace skillhost {

// The same answer, of which only the first is heard: several may have one to give. Any thread.
template <class T> Answer<T> firstOnly(Answer<T> answer) {
  return [answer = std::move(answer),
          given = std::make_shared<std::atomic<bool>>(false)](Result<T> result) {
    if (!given->exchange(true)) answer(std::move(result));
  };
}

// The body answers, then or later. What it throws is an answer too.
template <class T> class FolderCall final : public ExecutorJob {
public:
  using Body = std::function<void(const Answer<T> &answer)>;

  FolderCall(const CallOptions &options, std::string who, Body body, Answer<T> answer)
      : ExecutorJob(options.deadline, options.cancel, options.whose), who_(std::move(who)),
        body_(std::move(body)), answer_(firstOnly(std::move(answer))) {}

  void run() noexcept override {
    if (cancel().cancelled()) return tell({Fault::Cancelled, who_ + ": cancelled before it began"});
    try {
      body_(answer_);
    } catch (const std::exception &why) {
      tell({Fault::Internal, who_ + ": " + why.what()});
    }
  }
  void giveUp(bool running) noexcept override {
    tell({Fault::ToolTimeout, who_ + (running ? ": the shared folder does not answer in time"
                                              : ": waited too long for the shared folder")});
  }
  void abandoned() noexcept override {
    log::warning("sharing", who_ + ": the shared folder keeps a thread waiting");
  }
  void tell(Result<T> result) noexcept {
    try {
      answer_(std::move(result));
    } catch (const std::exception &why) {
      log::error("sharing", who_ + ": " + why.what());
    }
  }

private:
  const std::string who_;
  const Body body_;
  const Answer<T> answer_;
};

template <class T>
void callFolder(PluginExecutor &executor, const CallOptions &options, const std::string &who,
                typename FolderCall<T>::Body body, Answer<T> answer) {
  auto call = std::make_shared<FolderCall<T>>(options, who, std::move(body), std::move(answer));
  if (const Status taken = executor.post(call); !taken)
    call->tell({taken.failure().fault, who + ": " + taken.failure().message});
}

} // namespace skillhost
