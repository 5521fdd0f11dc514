// SPDX-License-Identifier: Apache-2.0
#include "network/resolver.hpp"

#include "ground/descriptor.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace skillhost::network {
namespace {

constexpr std::size_t maxThreads = 4, maxWaiting = 128, maxAddresses = 8;

std::vector<AddressBytes> lookUp(const std::string &name) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo *found = nullptr;
  std::vector<AddressBytes> addresses;
  if (::getaddrinfo(name.c_str(), nullptr, &wanted, &found) != 0) return addresses;
  for (const addrinfo *one = found; one != nullptr && addresses.size() < maxAddresses;
       one = one->ai_next) {
    AddressBytes bytes{};
    if (one->ai_family == AF_INET) {
      sockaddr_in four{};
      std::memcpy(&four, one->ai_addr, sizeof four);
      bytes[10] = bytes[11] = 0xFF;
      std::memcpy(&bytes[12], &four.sin_addr, sizeof four.sin_addr);
    } else if (one->ai_family == AF_INET6) {
      sockaddr_in6 six{};
      std::memcpy(&six, one->ai_addr, sizeof six);
      std::memcpy(bytes.data(), &six.sin6_addr, bytes.size());
    } else {
      continue;
    }
    if (std::find(addresses.begin(), addresses.end(), bytes) == addresses.end())
      addresses.push_back(bytes);
  }
  ::freeaddrinfo(found);
  return addresses;
}

} // namespace

struct Resolver::Shared {
  explicit Shared(int wake) : wake(::fcntl(wake, F_DUPFD_CLOEXEC, 3)) {}

  // Runs on a thread of its own until no question is waiting.
  void work() {
    for (;;) {
      std::pair<std::uint64_t, std::string> question;
      {
        const std::scoped_lock lock(mutex);
        if (waiting.empty() || ended) {
          --threads;
          return;
        }
        question = std::move(waiting.front());
        waiting.pop_front();
      }
      Answer answer{question.first, lookUp(question.second)};
      const std::scoped_lock lock(mutex);
      answers.push_back(std::move(answer));
      const std::uint64_t one = 1;
      [[maybe_unused]] const ssize_t written = ::write(wake.number(), &one, sizeof one);
    }
  }

  const Descriptor wake; // our own copy, which stays open while a thread may write to it
  std::mutex mutex;
  std::deque<std::pair<std::uint64_t, std::string>> waiting;
  std::vector<Answer> answers;
  std::size_t threads = 0;
  bool ended = false;
};

Resolver::Resolver(int wake) : shared_(std::make_shared<Shared>(wake)) {}

Resolver::~Resolver() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->ended = true;
}

bool Resolver::enqueue(std::uint64_t number, const std::string &name) {
  const std::scoped_lock lock(shared_->mutex);
  if (shared_->waiting.size() >= maxWaiting) return false;
  shared_->waiting.emplace_back(number, name);
  if (shared_->threads == maxThreads) return true;
  try {
    std::thread([shared = shared_] { shared->work(); }).detach();
    ++shared_->threads; // the new thread waits for the lock, so this is in time
  } catch (const std::system_error &) {
    if (shared_->threads == 0) shared_->waiting.pop_back();
  }
  return shared_->threads != 0;
}

std::vector<Resolver::Answer> Resolver::takeAnswers() {
  const std::scoped_lock lock(shared_->mutex);
  return std::exchange(shared_->answers, {});
}

} // namespace skillhost::network
