// SPDX-License-Identifier: Apache-2.0
// A client that sends exactly the given bytes, and a server on its own thread.
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

constexpr std::chrono::seconds patience{20}; // far longer than any step takes
constexpr std::string_view get = "GET /s HTTP/1.1\r\nHost: x\r\n\r\n";

struct Answer {
  int status = 0;
  std::string head, body; // raw body, with its chunks
  bool has(std::string_view text) const { return head.find(text) != std::string::npos; }
};

class RawClient {
public:
  explicit RawClient(const std::string &endpoint, int receiveBuffer = 0);
  ~RawClient();
  RawClient(const RawClient &) = delete;
  RawClient &operator=(const RawClient &) = delete;

  void send(std::string_view bytes);
  void finish() const; // ends the client's side
  void close();
  void reset(); // closes with a reset
  // Reads one answer with its body: by Content-Length, all chunks, or everything until the end.
  Answer answer(bool withBody = true);
  // Reads until `text` arrives, and returns everything up to its end.
  std::string until(std::string_view text);
  bool ended();          // true if nothing more arrives and the server has closed
  std::string theRest(); // reads until the server closes
  int descriptor() const noexcept { return socket_; }

private:
  bool more();
  int socket_ = -1;
  std::string received_;
};

// Serves on 127.0.0.1 and a free port, or on the given addresses.
class RunningServer {
public:
  explicit RunningServer(HttpHandler handler, HttpSettings settings = {});
  ~RunningServer();
  RunningServer(const RunningServer &) = delete;
  RunningServer &operator=(const RunningServer &) = delete;
  std::string endpoint() const { return server.endpoints().front().name; }
  void join(); // waits until run() has returned

  HttpServer server;

private:
  std::thread thread_;
};

// Passes values from a handler to the test's thread.
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
