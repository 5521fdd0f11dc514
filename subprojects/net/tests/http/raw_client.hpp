// SPDX-License-Identifier: Apache-2.0
// A client that sends exactly the bytes it is told to, and a server on a thread of its own.
#pragma once

#include "net/http_server.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace skillhost::http_test {

constexpr std::chrono::seconds patience{20}; // far beyond what anything takes
constexpr std::string_view get = "GET /s HTTP/1.1\r\nHost: x\r\n\r\n";

struct Answer {
  int status = 0;
  std::string head, body; // the body as it came, chunks and all
  bool has(std::string_view text) const { return head.find(text) != std::string::npos; }
};

class RawClient {
public:
  explicit RawClient(const std::string &endpoint, int receiveBuffer = 0);
  ~RawClient();
  RawClient(const RawClient &) = delete;
  RawClient &operator=(const RawClient &) = delete;

  void send(std::string_view bytes);
  void finish() const; // sends nothing more
  void close();
  void reset(); // closes so that the other side sees a reset
  // One answer with its body: by Content-Length, all chunks, or what comes until the end.
  Answer answer(bool withBody = true);
  // Reads until `text` has come; returns everything until its end.
  std::string until(std::string_view text);
  bool ended();          // nothing more comes, and the server has closed
  std::string theRest(); // until the server closes
  int descriptor() const noexcept { return socket_; }

private:
  bool more();
  int socket_ = -1;
  std::string received_;
};

// Serves on 127.0.0.1 and a free port, or on the addresses given.
class RunningServer {
public:
  explicit RunningServer(HttpHandler handler, HttpSettings settings = {});
  ~RunningServer();
  RunningServer(const RunningServer &) = delete;
  RunningServer &operator=(const RunningServer &) = delete;
  std::string endpoint() const { return server.endpoints().front().name; }
  void join(); // until run() has returned

  HttpServer server;

private:
  std::thread thread_;
};

// Hands what a handler has seen to the thread of the test.
template <class Thing> class Inbox {
public:
  void put(Thing thing) {
    const std::scoped_lock lock(mutex_);
    things_.push_back(std::move(thing));
    came_.notify_one();
  }
  Thing take() {
    std::unique_lock lock(mutex_);
    if (!came_.wait_for(lock, patience, [this] { return !things_.empty(); }))
      throw std::runtime_error("nothing came");
    Thing thing = std::move(things_.front());
    things_.pop_front();
    return thing;
  }
  bool empty() {
    const std::scoped_lock lock(mutex_);
    return things_.empty();
  }

private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<Thing> things_;
};

// Answers with the method, the path, the query and the body.
void echo(const std::shared_ptr<HttpExchange> &exchange);

} // namespace skillhost::http_test
