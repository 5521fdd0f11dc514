// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/descriptor.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cstring>
#include <string>

using namespace skillhost;

TEST_CASE("a descriptor goes over a socket") {
  auto [ours, theirs] = socketPair();
  CHECK_FALSE(receiveDescriptor(ours.number())); // nothing has arrived
  Result<Pipe> pipe = Pipe::open();
  REQUIRE(pipe);
  REQUIRE(sendDescriptor(theirs.number(), pipe->read.number()));
  const auto got = receiveDescriptor(ours.number());
  REQUIRE(got);
  REQUIRE(*got);
  CHECK(got->number() != pipe->read.number());
  CHECK((::fcntl(got->number(), F_GETFD) & FD_CLOEXEC) != 0);
  REQUIRE(::write(pipe->write.number(), "x", 1) == 1);
  char byte = 0;
  CHECK(::read(got->number(), &byte, 1) == 1);
  CHECK(byte == 'x');
}

TEST_CASE("a byte goes over a socket alone") {
  auto [ours, theirs] = socketPair();
  REQUIRE(sendDescriptor(theirs.number(), -1));
  const auto got = receiveDescriptor(ours.number());
  REQUIRE(got);
  CHECK_FALSE(*got);
  CHECK_FALSE(receiveDescriptor(ours.number()));
  theirs.reset();
  const auto end = receiveDescriptor(ours.number());
  REQUIRE(end);
  CHECK_FALSE(*end);
  CHECK_FALSE(sendDescriptor(ours.number(), 0)); // fails because nobody takes it, without a signal
}

TEST_CASE("of several descriptors one is taken, and none is left open") {
  const auto next = [] {
    const Descriptor free(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    return free.number();
  };
  auto [ours, theirs] = socketPair();
  const std::array<int, 2> two{ours.number(), theirs.number()};
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof two)> space{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  cmsghdr *const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof two);
  std::memcpy(CMSG_DATA(header), two.data(), sizeof two);
  REQUIRE(::sendmsg(theirs.number(), &message, 0) == 1);
  const int before = next();
  {
    const auto got = receiveDescriptor(ours.number());
    REQUIRE(got);
    CHECK(*got);
  }
  CHECK(next() == before);
}
