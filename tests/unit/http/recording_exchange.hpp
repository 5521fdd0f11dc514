// SPDX-License-Identifier: Apache-2.0
// An HTTP exchange that writes down how it was answered.
#pragma once

#include "base/http.hpp"

#include <string>
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
  void readBody(std::function<void()> whole, std::size_t) override { whole(); }
  void respond(HttpResponse response) override { responses.push_back(std::move(response)); }
  void openStream(const HttpFields &) override { ++opened; }
  void event(std::string_view id, const Fragments &data) override {
    events.emplace_back(std::string(id), data.text());
  }
  void closeStream() override { ++closed; }
  void whenGone(std::function<void()> gone) override { gone_ = std::move(gone); }
  void leave() {
    if (gone_) std::exchange(gone_, nullptr)();
  }

  std::vector<HttpResponse> responses;
  std::vector<std::pair<std::string, std::string>> events;
  int opened = 0, closed = 0, forgotten = 0;

private:
  const HttpRequest request_;
  std::function<void()> gone_;
};

} // namespace skillhost
