// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "net/stdio.hpp"
#include "no_threads.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace skillhost;

namespace {

struct Pipe {
  std::array<int, 2> ends{};
  Pipe() { REQUIRE(::pipe(ends.data()) == 0); }
  ~Pipe() {
    closeRead();
    closeWrite();
  }
  void closeRead() { close(0); }
  void closeWrite() { close(1); }
  void write(const std::string &text) const {
    REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  std::string readAll() const {
    std::string all;
    std::array<char, 65536> buffer;
    for (ssize_t got = 0; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
      all.append(buffer.data(), static_cast<std::size_t>(got));
    return all;
  }

private:
  void close(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

struct Seen {
  std::vector<std::string> lines;
  std::string piece; // bytes of the lines that were too long
  int tooLong = 0;
  LineHandler handler() {
    return {[this](std::string_view line) { lines.emplace_back(line); },
            [this](std::string_view next) { piece += next; }, [this](std::size_t) { ++tooLong; }};
  }
};

} // namespace

TEST_CASE("lines come whole, with either line end, and the last one without any") {
  Pipe in, out;
  in.write("one\ntwo\r\n\n\nthree");
  in.closeWrite();
  StdioTransport transport(in.ends[0], out.ends[1], 100);
  Seen seen;
  CHECK(transport.run(seen.handler()) == StdioTransport::End::Input);
  CHECK(seen.lines == std::vector<std::string>{"one", "two", "three"});
}

TEST_CASE("blank lines and byte order marks are passed over") {
  Pipe in, out;
  in.write("\xEF\xBB\xBFone\n   \n\t \r\n\xEF\xBB\xBF\n two\n");
  in.closeWrite();
  StdioTransport transport(in.ends[0], out.ends[1], 100);
  Seen seen;
  CHECK(transport.run(seen.handler()) == StdioTransport::End::Input);
  CHECK(seen.lines == std::vector<std::string>{"one", " two"});
}

TEST_CASE("a line over the limit is told once and skipped, and the next one is served") {
  Pipe in, out;
  StdioTransport transport(in.ends[0], out.ends[1], 1000);
  Seen seen;
  std::thread writer([&in] {
    in.write(std::string(300'000, 'x') + "\nnext\n" + std::string(1001, 'y') + "\nlast\n" +
             std::string(1000, 'z') + "\n");
    in.closeWrite();
  });
  transport.run(seen.handler());
  writer.join();
  CHECK(seen.tooLong == 2);
  CHECK(seen.piece.size() == 301'001); // both lines without their ends
  CHECK(seen.lines == std::vector<std::string>{"next", "last", std::string(1000, 'z')});
}

TEST_CASE("messages of many threads come out whole") {
  Pipe in, out;
  std::optional<StdioTransport> transport(std::in_place, in.ends[0], out.ends[1], 100);
  std::string all;
  std::thread reader([&] { all = out.readAll(); });
  constexpr int threads = 4, each = 200;
  std::vector<std::thread> senders;
  for (int t = 0; t < threads; ++t)
    senders.emplace_back([&transport, t] {
      const auto large = std::make_shared<const std::string>(20'000, static_cast<char>('a' + t));
      for (int i = 0; i < each; ++i) {
        Fragments message("<");
        message.append(large).append(">");
        transport->send(std::move(message));
      }
    });
  for (std::thread &sender : senders) sender.join();
  transport->finish(std::chrono::seconds(60));
  transport.reset();
  out.closeWrite();
  reader.join();
  REQUIRE(all.size() == std::size_t{threads} * each * 20'003);
  for (std::size_t at = 0; at < all.size(); at += 20'003) {
    const bool whole = all[at] == '<' && all[at + 20'001] == '>' && all[at + 20'002] == '\n' &&
                       all.find_first_not_of(all[at + 1], at + 1) == at + 20'001;
    if (!whole) FAIL("torn at " << at);
  }
}

TEST_CASE("a client that stops listening ends the run, and what is sent then is dropped") {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe in, out;
  StdioTransport transport(in.ends[0], out.ends[1], 100);
  out.closeRead();
  transport.send(Fragments("lost"));
  transport.send(Fragments("lost too"));
  Seen seen;
  CHECK(transport.run(seen.handler()) != StdioTransport::End::Input);
}

TEST_CASE("a slow client whom no thread can wait for ends the run") {
  Pipe in, out;
  StdioTransport transport(in.ends[0], out.ends[1], 1000);
  Fragments message;
  message.append(std::string(1U << 20U, 'x'));
  {
    const NoThreads none;
    transport.send(std::move(message));
  }
  Seen seen;
  CHECK(transport.run(seen.handler()) == StdioTransport::End::OutputClosed);
}

TEST_CASE("the answers to a burst of requests need no thread when nobody has read them yet") {
  constexpr int room = 512 << 10;
  Pipe in, out, other;
  // The kernel refuses a larger pipe to a user with very many pipes.
  if (::fcntl(other.ends[1], F_SETPIPE_SZ, room) < room) return;
  StdioTransport transport(in.ends[0], out.ends[1], 1000);
  const std::string answer(5'000, 'x');
  {
    const NoThreads none;
    for (int i = 0; i < 80; ++i) transport.send(Fragments(answer));
  }
  in.closeWrite();
  Seen seen;
  CHECK(transport.run(seen.handler()) == StdioTransport::End::Input);
}

TEST_CASE("stop ends a run that waits for input") {
  Pipe in, out;
  StdioTransport transport(in.ends[0], out.ends[1], 100);
  Seen seen;
  std::thread stopper([&transport] { transport.stop(); });
  CHECK(transport.run(seen.handler()) == StdioTransport::End::Stopped);
  stopper.join();
}

TEST_CASE("a client that writes all before it reads anything gets all of it") {
  Pipe in, out;
  std::optional<StdioTransport> transport(std::in_place, in.ends[0], out.ends[1], 100);
  constexpr int lines = 20'000;
  std::thread client([&] {
    std::string all;
    for (int i = 0; i < lines; ++i) all += "request " + std::to_string(i) + "\n";
    in.write(all); // more than a pipe holds, as are the answers
    in.closeWrite();
  });
  const std::string answer(100, 'a');
  LineHandler handler{[&](std::string_view) { transport->send(Fragments(answer)); },
                      [](std::string_view) {}, [](std::size_t) {}};
  // Nobody reads the answers, and still every request is read.
  const StdioTransport::End end = transport->run(handler);
  client.join();
  CHECK(end == StdioTransport::End::Input);
  std::string all;
  std::thread reader([&] { all = out.readAll(); });
  transport->finish(std::chrono::seconds(60));
  transport.reset();
  out.closeWrite();
  reader.join();
  CHECK(all.size() == lines * (answer.size() + 1));
}

TEST_CASE("no more is read while too much is unsent, and reading goes on when there is room") {
  Pipe in, out;
  std::optional<StdioTransport> transport(std::in_place, in.ends[0], out.ends[1], 100);
  for (int i = 0; i < 20; ++i) in.write(std::to_string(i) + "\n");
  in.closeWrite();
  std::atomic<int> served{0};
  const auto large = std::make_shared<const std::string>(9U << 20U, 'x');
  LineHandler handler{[&](std::string_view) {
                        ++served;
                        Fragments answer;
                        answer.append(large);
                        transport->send(std::move(answer));
                      },
                      [](std::string_view) {}, [](std::size_t) {}};
  std::string all;
  std::thread reader([&] { all = out.readAll(); });
  transport->run(handler);
  transport->finish(std::chrono::seconds(60));
  transport.reset();
  out.closeWrite();
  reader.join();
  CHECK(served == 20);
  CHECK(all.size() == 20 * (large->size() + 1));
}
