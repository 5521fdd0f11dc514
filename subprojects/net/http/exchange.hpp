// SPDX-License-Identifier: Apache-2.0
// The HttpExchange of a connection. It owns the request, and hands the answer to the loop's thread.
#pragma once

#include "base/http.hpp"
#include "byte_budget.hpp"
#include "mailbox.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>

namespace skillhost::http {

class Connection;

class Exchange final : public HttpExchange, public Errand {
public:
  Exchange(std::shared_ptr<Connection> connection, std::shared_ptr<Mailbox> mailbox,
           std::uint64_t number);
  ~Exchange() override;

  const HttpRequest &request() const noexcept override { return request_; }
  void forgetCredentials(std::span<const std::string> further) noexcept override;
  void protectConnection() override;
  using HttpExchange::readBody;
  void readBody(std::function<void()> whole, std::size_t maxBytes, BodyPiece piece) override;
  void takeCodedBody() noexcept override { takesCodedBody_ = true; }
  void respond(HttpResponse response) override;
  void openStream(const HttpFields &further) override;
  void event(std::string_view id, const Fragments &data) override;
  void closeStream() override;
  void whenGone(std::function<void()> gone) override;

  // The connection calls these on its thread: when some or all of the body has arrived, when the
  // answer is sent, and when it will never be sent because the client has gone or is refused.
  bool takesCodedBody() const noexcept { return takesCodedBody_; }
  bool wantsPieces() const noexcept { return static_cast<bool>(piece_); }
  void onBodyPiece();
  void onBody();
  void finished();
  void lost();
  void run() override { lost(); } // called as an errand
  // The connection fills these before anybody else sees the exchange.
  HttpRequest &incoming() noexcept { return request_; }
  std::string &head() noexcept { return head_; }
  std::string &body() noexcept { return body_; }
  // Takes the new bytes of the body from the budget, and returns false if they exceed it. Gives
  // back the bytes that are no longer kept. The destructor gives back the rest.
  bool countBody(const std::shared_ptr<ByteBudget> &budget);
  // Marks the connection as protected already. Only valid before anybody else sees the exchange.
  void setProtected(bool is) noexcept { isProtected_ = is; }
  void setPeer(std::string peer) {
    peer_ = std::move(peer);
    request_.peer = peer_;
  }

private:
  template <class Function> void onLoop(Function function);

  const std::shared_ptr<Connection> connection_;
  const std::shared_ptr<Mailbox> mailbox_;
  const std::uint64_t number_;
  HttpRequest request_;
  std::string head_, body_, peer_; // targets of the views in request_
  std::shared_ptr<ByteBudget> budget_;
  std::string network_; // the client whose budget it uses
  std::size_t counted_ = 0;
  std::size_t keptElsewhere_ = 0; // bytes of the body, as the last call of piece_ returned
  bool isProtected_ = false;
  bool takesCodedBody_ = false; // set before the body is requested, and read then
  std::atomic<bool> answered_{false};

  enum class State { Waiting, Finished, Lost };
  std::mutex mutex_;
  State state_ = State::Waiting;
  // These callbacks often hold the exchange itself, until it ends. piece_ is called without the
  // lock: once it is set, only the connection's thread changes it.
  std::function<void()> whole_, gone_;
  BodyPiece piece_;
};

} // namespace skillhost::http
