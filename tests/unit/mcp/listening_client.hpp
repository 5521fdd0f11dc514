// SPDX-License-Identifier: Apache-2.0
// A client on stdio that receives messages from other threads.
#pragma once

#include "catch2.hpp"
#include "conversation.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace skillhost {

inline const std::string handshake =
    R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}})";

class ListeningClient {
public:
  explicit ListeningClient(Server &server)
      : session_(server.open([said = said_](const Fragments &message) {
          const std::scoped_lock lock(said->mutex);
          said->heard.push_back(Json::parse(message.text()));
          said->more.notify_all();
        })) {}
  ~ListeningClient() { session_->close(); }
  ListeningClient(const ListeningClient &) = delete;
  ListeningClient &operator=(const ListeningClient &) = delete;

  void say(const std::string &method, const std::string &params, const std::string &id = "") {
    session_->receive(R"({"jsonrpc":"2.0",)" + (id.empty() ? "" : R"("id":)" + id + ",") +
                      R"("method":")" + method + R"(","params":)" + params + "}");
  }
  Json ask(const std::string &method, const std::string &params, const std::string &id) {
    say(method, params, id);
    return answer(id);
  }
  Json answer(const std::string &id) {
    return await([&](const Json &one) { return one.value("id", Json()) == Json::parse(id); });
  }
  // Returns the number of all messages so far.
  std::size_t count() {
    const std::scoped_lock lock(said_->mutex);
    return said_->heard.size();
  }
  Json awaitMethod(const std::string &method) {
    return await([&](const Json &one) { return one.value("method", "") == method; });
  }
  bool heard(const std::string &method) {
    const std::scoped_lock lock(said_->mutex);
    return std::any_of(said_->heard.begin(), said_->heard.end(),
                       [&](const Json &one) { return one.value("method", "") == method; });
  }

private:
  template <class Wanted> Json await(Wanted wanted) {
    std::unique_lock lock(said_->mutex);
    std::vector<Json>::const_iterator found;
    const bool came = said_->more.wait_for(lock, std::chrono::minutes(1), [&] {
      found = std::find_if(said_->heard.cbegin(), said_->heard.cend(), wanted);
      return found != said_->heard.cend();
    });
    REQUIRE(came);
    return *found;
  }

  // Another thread may still be sending to it when the client ends.
  struct Said {
    std::mutex mutex;
    std::condition_variable more;
    std::vector<Json> heard;
  };
  const std::shared_ptr<Said> said_ = std::make_shared<Said>();
  std::shared_ptr<Session> session_;
};

} // namespace skillhost
