// SPDX-License-Identifier: Apache-2.0
// Issues a ticket or a new key. Its output is a secret.
#include "ticket.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <openssl/rand.h>
#include <vector>

namespace {

constexpr const char *usage =
    "usage: make-ticket new-key ID\n"
    "       make-ticket KEY_FILE KEY SUBJECT AUDIENCE [--lifetime SECONDS] [--delay SECONDS] "
    "[SCOPE ...]\n"
    "The first prints a line for a key file, the second a ticket, valid for an hour from now.\n"
    "AUDIENCE is the URI of the server as its clients know it.\n";

int newKey(const std::string &id) {
  std::vector<unsigned char> key(Keys::shortest);
  if (RAND_bytes(key.data(), static_cast<int>(key.size())) != 1)
    throw std::runtime_error("OpenSSL has no random bytes");
  std::printf("%s ", id.c_str());
  for (const unsigned char byte : key) std::printf("%02x", unsigned{byte});
  std::printf("\n");
  return 0;
}

std::int64_t number(const std::string &text) {
  std::size_t used = 0;
  const long long value = std::stoll(text, &used);
  if (used != text.size()) throw std::runtime_error(text + " is no number of seconds");
  return value;
}

int newTicket(const std::vector<std::string> &words) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  Ticket ticket{words[1], words[2], words[3], {}};
  std::int64_t lifetime = 3600;
  std::int64_t delay = 0;
  for (std::size_t i = 4; i < words.size(); ++i) {
    const bool option = words[i] == "--lifetime" || words[i] == "--delay";
    if (option && i + 1 == words.size()) throw std::runtime_error(words[i] + " needs a number");
    if (option)
      (words[i] == "--delay" ? delay : lifetime) = number(words[i + 1]), ++i;
    else
      ticket.scopes.push_back(words[i]);
  }
  ticket.begins = std::chrono::duration_cast<std::chrono::seconds>(now).count() + delay;
  ticket.ends = ticket.begins + lifetime;
  std::printf("%s\n", signTicket(ticket, Keys::read(words[0])).c_str());
  return 0;
}

} // namespace

int main(int argc, char **argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "new-key") return newKey(words[1]);
  if (words.size() >= 4) return newTicket(words);
  std::fputs(usage, stderr);
  return EXIT_FAILURE;
} catch (const std::exception &error) {
  std::fprintf(stderr, "make-ticket: %s\n", error.what());
  return EXIT_FAILURE;
}
