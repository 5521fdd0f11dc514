// SPDX-License-Identifier: Apache-2.0
// Tests the parts that the plugin relies on; needs no framework and no host.
#include "base64url.hpp"
#include "ticket.hpp"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace {

int failures = 0;

void expect(bool holds, const std::string &what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
}

// Returns the message of the Exception that `body` throws, or an empty string when it throws none.
template <class Exception = Refused> std::string thrown(const std::function<void()> &body) {
  try {
    body();
  } catch (const Exception &error) {
    return error.what();
  }
  return {};
}

struct Folder {
  std::string path = "/tmp/ticket-test-XXXXXX";
  Folder() {
    if (mkdtemp(path.data()) == nullptr) std::abort();
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder() {
    for (const char *name : {"/keys", "/link", "/pipe"}) unlink((path + name).c_str());
    rmdir(path.c_str());
  }
};

const Folder folder;
const std::string keyFile = folder.path + "/keys";
const std::string line = "k1 " + std::string(64, 'a') + "\n";

void write(const std::string &text, mode_t mode = 0600) {
  unlink(keyFile.c_str());
  const int file = open(keyFile.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ::write(file, text.data(), text.size()) != ssize_t(text.size())) std::abort();
  if (fchmod(file, mode) != 0 || close(file) != 0) std::abort();
}

void testBase64() {
  for (const auto &[bytes, text] :
       {std::pair{"", ""}, {"f", "Zg"}, {"fo", "Zm8"}, {"foo", "Zm9v"}, {"\xFB\xFF", "-_8"}}) {
    expect(encodeBase64Url(bytes) == text, std::string("encodes as ") + text);
    expect(decodeBase64Url(text) == std::string(bytes), std::string("decodes ") + text);
  }
  for (const char *text : {"Z", "Zh", "Zg==", "Zm9", "Zm9v\n", "Zm+v"})
    expect(!decodeBase64Url(text), std::string("refuses ") + text);
}

void testKeyFiles() {
  const auto why = [](const std::string &path) {
    return thrown<std::runtime_error>([&] { Keys::read(path); });
  };
  const auto refused = [&](const std::string &text, const std::string &expected,
                           mode_t mode = 0600) {
    write(text, mode);
    expect(why(keyFile).find(expected) != std::string::npos, expected + ", not: " + why(keyFile));
  };
  refused(line, "chmod 600", 0640);
  refused(line, "chmod 600", 0604);
  refused("", "holds no key");
  refused("# no key\n\n", "holds no key");
  refused("k1 " + std::string(62, 'a') + "\n", "line 1 must be");
  refused("k1 " + std::string(63, 'a') + "\n", "line 1 must be");
  refused("k1 " + std::string(64, 'A') + "\n", "line 1 must be");
  refused("k1\n", "line 1 must be");
  refused("a|b " + line.substr(3), "line 1 must be");
  refused("#\n" + line + line, "line 3 repeats an id");
  refused(std::string(70'000, '#'), "larger than");
  expect(why(folder.path).find("regular file") != std::string::npos, "a folder is no key file");
  expect(why(folder.path + "/none").find("cannot be opened") != std::string::npos, "no file");
  write(line);
  if (symlink(keyFile.c_str(), (folder.path + "/link").c_str()) != 0) std::abort();
  expect(!why(folder.path + "/link").empty(), "a link is not followed");
  if (mkfifo((folder.path + "/pipe").c_str(), 0600) != 0) std::abort();
  expect(!why(folder.path + "/pipe").empty(), "a pipe is refused, not waited for");

  const Keys keys = Keys::read(keyFile);
  expect(keys.current(keyFile), "a file that is left alone is current");
  write(line + "k2" + line.substr(2));
  expect(!keys.current(keyFile), "a file that is replaced is not");
  unlink(keyFile.c_str());
  expect(!keys.current(keyFile), "a file that is gone is not");
}

void testTickets() {
  write(line + "k2 " + std::string(64, 'b') + "\n");
  const Keys keys = Keys::read(keyFile);
  const Ticket ticket{"k1", "ada", "https://host/mcp", {"skills:read", "b"}, 1000, 2000};
  const std::string text = signTicket(ticket, keys);
  const Ticket back = openTicket(text, keys);
  expect(back.key == "k1" && back.subject == "ada" && back.audience == "https://host/mcp" &&
             back.scopes == ticket.scopes && back.begins == 1000 && back.ends == 2000,
         "a ticket holds what was put into it");
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'A', 'B', '.', '|', '\0'}) {
      std::string other = text;
      other[i] = c;
      expect(other == text || !thrown([&] { openTicket(other, keys); }).empty(),
             "byte " + std::to_string(i) + " counts");
    }
    expect(!thrown([&] { openTicket(text.substr(0, i), keys); }).empty(), "no part will do");
  }
  expect(!thrown([&] { openTicket(text + "A", keys); }).empty(), "nothing may follow");
  expect(!thrown([&] { openTicket(std::string(1 << 20, 'A'), keys); }).empty(), "no megabyte");

  write("k2 " + std::string(64, 'b') + "\n");
  const Keys fewer = Keys::read(keyFile);
  expect(thrown([&] { openTicket(text, fewer); }).find("key file") != std::string::npos,
         "a key that is gone opens nothing");
  write("k1 " + std::string(64, 'c') + "\n");
  const Keys changed = Keys::read(keyFile);
  expect(thrown([&] { openTicket(text, changed); }).find("signature") != std::string::npos,
         "another key of that id opens nothing");
  for (const Ticket &bad : {Ticket{"k9", "ada", "u", {}}, Ticket{"k1", "", "u", {}},
                            Ticket{"k1", "a|b", "u", {}}, Ticket{"k1", "a", "u u", {}},
                            Ticket{"k1", "a", "u", {""}}, Ticket{"k1", "a", "u", {"x|y"}}})
    expect(!thrown([&] { signTicket(bad, keys); }).empty(), "cannot be said in a ticket");
}

void testJudgement() {
  const Ticket ticket{"k1", "ada", "https://host/mcp", {}, 1000, 2000};
  const Rules rules{30, 1000};
  const auto refused = [&](std::string_view audience, std::int64_t now, const Rules &by) {
    return !thrown([&] { judgeTicket(ticket, audience, now, by); }).empty();
  };
  expect(refused(ticket.audience, 969, rules), "not before its begin, less the skew");
  expect(!refused(ticket.audience, 970, rules), "from its begin, less the skew");
  expect(!refused(ticket.audience, 2029, rules), "until its end and the skew");
  expect(refused(ticket.audience, 2030, rules), "not after its end and the skew");
  expect(refused(ticket.audience, 1500, {30, 999}), "not when it is valid for too long");
  for (const char *audience : {"", "https://host/mcp/", "https://host/mc", "https://HOST/mcp"})
    expect(refused(audience, 1500, rules), std::string("not for ") + audience);
}

} // namespace

int main() {
  testBase64();
  testKeyFiles();
  testTickets();
  testJudgement();
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
