// SPDX-License-Identifier: Apache-2.0
#include "mcp/long_requests.hpp"

#include "base/log.hpp"

#include <nlohmann/json.hpp>

#include <pthread.h>

#include <atomic>
#include <csignal>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

namespace skillhost {
namespace {

const std::string *textIn(const Json &object, const char *name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : found->get_ptr<const std::string *>();
}

// A page of so many, without their details, is written in less than 0.2 ms.
constexpr std::size_t fewSkills = 300;

bool isLongTool(const Json &params, std::size_t skills) {
  const std::string *const name = textIn(params, "name");
  if (name == nullptr) return false;
  const auto given = params.find("arguments");
  const bool hasArguments = given != params.end() && given->is_object() && !given->empty();
  if (*name == "list_skills") // without arguments it is the same for all
    return hasArguments && (skills > fewSkills || given->contains("detail"));
  if (*name != "read_skill_document") return false;
  const std::string *const path = hasArguments ? textIn(*given, "document_path") : nullptr;
  return path == nullptr || path->find_first_of("*?[{") != std::string::npos;
}

} // namespace

bool isLong(const Message &request, std::size_t skills) {
  if (request.method == "tools/call") return isLongTool(request.params, skills);
  return request.method == "completion/complete" || request.method == "list_tools";
}

std::string_view LongRequests::add(const std::shared_ptr<HttpExchange> &exchange, Job job,
                                   std::string name) try {
  constexpr std::size_t mostOfNetwork = 64;
  const std::string network = networkOf(exchange->request().peer);
  const auto gone = std::make_shared<std::atomic<bool>>(false);
  exchange->whenGone([gone] { *gone = true; });
  const std::scoped_lock lock(mutex_);
  if (ended_) return "the server is stopping";
  if (jobs_.sizeOf(network) >= mostOfNetwork) return "too many long requests are waiting";
  if (!thread_.joinable())
    thread_ = std::thread([this] {
      pthread_setname_np(pthread_self(), "long-requests");
      sigset_t all;
      ::sigfillset(&all); // signals are for the threads that wait for them
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      work();
    });
  jobs_.add(network, {std::move(name), [gone, job = std::move(job)] {
                        if (!*gone) job();
                      }});
  wake_.notify_one();
  return {};
} catch (const std::system_error &) {
  return "no thread can be had for a long request";
}

std::string LongRequests::name(std::string_view session, std::string_view owner,
                               std::string_view id) {
  if (session.empty() || id.empty()) return {};
  return std::string(session) + '\n' + std::string(id) + '\n' + std::string(owner);
}

void LongRequests::cancel(const std::string &name) {
  if (name.empty()) return;
  std::vector<Waiting> dropped; // destroyed without the lock: they may hold anything
  const std::scoped_lock lock(mutex_);
  dropped = jobs_.takeAll([&](const Waiting &one) { return one.name == name; });
  if (!dropped.empty()) log::info("mcp", "a request that waited: cancelled by the client");
}

void LongRequests::work() {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return ended_ || !jobs_.empty(); });
      if (ended_) return;
      job = std::move(jobs_.take()->job);
    }
    try {
      job();
    } catch (const std::exception &why) {
      log::error("http", std::string("the handler of a request failed: ") + why.what());
    }
  }
}

void LongRequests::end() {
  std::vector<Waiting> left; // destroyed without the lock: they may hold anything
  std::thread thread;
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    left = jobs_.takeAll([](const Waiting &) { return true; });
    thread.swap(thread_);
  }
  wake_.notify_one();
  if (thread.joinable()) thread.join();
}

} // namespace skillhost
