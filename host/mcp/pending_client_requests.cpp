// SPDX-License-Identifier: Apache-2.0
#include "mcp/pending_client_requests.hpp"

#include <condition_variable>
#include <optional>

namespace skillhost {

struct PendingClientRequests::Question {
  explicit Question(const Call &asker) : call(&asker) {}

  void settle(Result<std::string> outcome) {
    {
      const std::scoped_lock lock(mutex);
      if (!answer) answer.emplace(std::move(outcome));
    }
    settled.notify_all();
  }
  std::optional<Result<std::string>> wait(const Deadline &deadline) {
    std::unique_lock lock(mutex);
    settled.wait_until(lock, deadline.at(), [this] { return answer.has_value(); });
    return answer;
  }

  const Call *const call; // the call that asks; it exists as long as it waits
  std::mutex mutex;
  std::condition_variable settled;
  std::optional<Result<std::string>> answer;
};

std::shared_ptr<PendingClientRequests::Question> PendingClientRequests::add(const Call &call,
                                                                            std::string &id) {
  const std::scoped_lock lock(mutex_);
  if (open_.size() >= maxOpen) return nullptr;
  const std::uint64_t number = ++last_;
  id = idStart;
  id += name_ ? name_(number) : std::to_string(number);
  id += '"';
  return open_[id] = std::make_shared<Question>(call);
}

std::shared_ptr<PendingClientRequests::Question>
PendingClientRequests::take(const std::string &id) {
  const std::scoped_lock lock(mutex_);
  const auto node = open_.extract(id);
  return node ? node.mapped() : nullptr;
}

Result<std::string> PendingClientRequests::ask(Call &call, std::string_view method,
                                               std::string_view params) {
  std::string id;
  const std::shared_ptr<Question> question = add(call, id);
  if (!question) return {Fault::RateLimited, "too many requests to the client are open"};
  // From here on onCallEnded() finds the question. A call that has ended before is noticed now.
  if (call.isFinished()) {
    take(id);
    return {Fault::Cancelled, "the call has ended"};
  }
  call.sendMessage(requestMessage(id, method, params));
  const std::optional<Result<std::string>> answer = question->wait(call.deadline());
  take(id);
  if (!answer) return {Fault::ToolTimeout, "the client has not answered in time"};
  return *answer;
}

bool PendingClientRequests::onResponse(const Message &response) {
  const std::shared_ptr<Question> question = take(response.id);
  if (!question) return false;
  if (response.failed)
    question->settle({Fault::Denied, "the client answered with an error"});
  else if (!response.params.is_object())
    question->settle({Fault::Denied, "the client's answer is no object"});
  else
    question->settle(response.params.dump());
  return true;
}

void PendingClientRequests::onCallEnded(const Call &call) {
  const std::scoped_lock lock(mutex_);
  for (const auto &[id, question] : open_)
    if (question->call == &call) question->settle({Fault::Cancelled, "the call has ended"});
}

} // namespace skillhost
