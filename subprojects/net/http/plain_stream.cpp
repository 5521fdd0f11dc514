// SPDX-License-Identifier: Apache-2.0
#include "byte_stream.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace skillhost::http {
namespace {

class PlainStream final : public ByteStream {
public:
  explicit PlainStream(int socket) : socket_(socket) {}

  Moved read(std::span<char> into) override {
    ssize_t got = 0;
    do {
      got = ::recv(socket_, into.data(), into.size(), 0);
    } while (got < 0 && errno == EINTR);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return {Outcome::WaitReadable};
    if (got < 0) return {Outcome::Gone};
    if (got == 0) return {Outcome::Ended};
    full_ = static_cast<std::size_t>(got) == into.size();
    return {Outcome::Done, static_cast<std::size_t>(got)};
  }

  Moved write(std::span<const iovec> parts) override {
    msghdr message{};
    message.msg_iov = const_cast<iovec *>(parts.data()); // sendmsg() only reads it
    message.msg_iovlen = parts.size();
    ssize_t sent = 0;
    do {
      sent = ::sendmsg(socket_, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent >= 0) return {Outcome::Done, static_cast<std::size_t>(sent)};
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {Outcome::WaitWritable};
    return {Outcome::Gone};
  }

  void finish() override { ::shutdown(socket_, SHUT_WR); }
  bool hasMore() const override { return full_; }
  bool secure() const noexcept override { return false; }

private:
  const int socket_;
  bool full_ = false;
};

} // namespace

std::unique_ptr<ByteStream> plainStream(int socket) {
  return std::make_unique<PlainStream>(socket);
}

} // namespace skillhost::http
