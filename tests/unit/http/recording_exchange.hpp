// SPDX-License-Identifier: Apache-2.0
// An HTTP exchange that records its answers.
#pragma once

#include "base/http.hpp"

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

class RecordingExchange final : public HttpExchange {
public:
  RecordingExchange() = default;
  explicit RecordingExchange(HttpRequest request) : request_(std::move(request)) {}

  const HttpRequest &request() const noexcept override { return request_; }
  void forgetCredentials(std::span<const std::string>) noexcept override { ++forgotten; }
  using HttpExchange::readBody;
  void readBody(std::function<void()> whole, std::size_t, BodyPiece piece) override {
    if (piece) {
      kept = piece(request_.body);
      request_.body = {};
    }
    whole();
  }
  void protectConnection() override { ++isProtected; }
  void respond(HttpResponse response) override {
    if (atRespond) std::exchange(atRespond, nullptr)();
    responses.push_back(std::move(response));
    end();
  }
  void openStream(const HttpFields &) override { ++opened; }
  void event(std::string_view id, const Fragments &data) override {
    events.emplace_back(std::string(id), data.text());
    if (atEvent) atEvent(events.back().second);
  }
  void closeStream() override {
    ++closed;
    end();
  }
  void whenGone(std::function<void()> gone) override { gone_ = std::move(gone); }
  void leave() {
    if (gone_) std::exchange(gone_, nullptr)();
  }
  // Waits until it is answered or its stream has ended, on any thread.
  void wait() const { ended_.wait(); }

  std::function<void(const std::string &data)> atEvent;
  std::function<void()> atRespond; // called once
  std::vector<HttpResponse> responses;
  std::vector<std::pair<std::string, std::string>> events;
  int opened = 0, closed = 0, forgotten = 0, isProtected = 0;
  std::size_t kept = 0; // bytes of the body, by the one who receives its pieces

private:
  void end() {
    if (!std::exchange(hasEnded_, true)) end_.set_value();
  }

  std::promise<void> end_;
  const std::shared_future<void> ended_ = end_.get_future().share();
  bool hasEnded_ = false;
  HttpRequest request_;
  std::function<void()> gone_;
};

// Returns the values of a field, one per line.
inline std::string fieldOf(const HttpResponse &response, std::string_view name) {
  std::string found;
  for (const auto &[own, value] : response.fields)
    if (own == name) found += (found.empty() ? "" : "\n") + value;
  return found;
}

} // namespace skillhost
