// SPDX-License-Identifier: Apache-2.0
// Git sends credentials as HTTP Basic. This exchange shows the server's check the password as a
// bearer token, and tells a refused client that it may send a password.
#pragma once

#include "base/http.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace skillhost::git {

// Returns the token of a field "Basic …": the password, or the user name if there is no password.
// Empty if it has none.
std::string tokenOfBasic(std::string_view authorization);

// For the check of the credential only; the answer to an admitted request needs none of it.
class PasswordExchange final : public HttpExchange {
public:
  explicit PasswordExchange(std::shared_ptr<HttpExchange> inner);
  ~PasswordExchange() override;

  const HttpRequest &request() const noexcept override { return request_; }
  void forgetCredentials(std::span<const std::string> further) noexcept override;
  void protectConnection() override { inner_->protectConnection(); }
  void readBody(std::function<void()> whole, std::size_t maxBytes, BodyPiece piece) override {
    inner_->readBody(std::move(whole), maxBytes, std::move(piece));
  }
  void respond(HttpResponse response) override;
  void openStream(const HttpFields &further) override { inner_->openStream(further); }
  void event(std::string_view id, const Fragments &data) override { inner_->event(id, data); }
  void closeStream() override { inner_->closeStream(); }
  void whenGone(std::function<void()> gone) override { inner_->whenGone(std::move(gone)); }

private:
  const std::shared_ptr<HttpExchange> inner_;
  std::string bearer_; // the field as the check reads it; empty: as it was sent
  HttpRequest request_;
};

} // namespace skillhost::git
