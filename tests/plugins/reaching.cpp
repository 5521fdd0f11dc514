// SPDX-License-Identifier: Apache-2.0
// A plugin with a tool that tries forbidden reads and connections: {"how": …, "to": …} names one
// attempt. Its text is the result: the data read, or "errno N".
#include <skillhost/config.hpp>
#include <skillhost/tools.hpp>

#include <arpa/inet.h>
#include <curl/curl.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::string failed() { return "errno " + std::to_string(errno); }

std::string readText(const std::string &path) {
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return failed();
  std::array<char, 4096> piece{};
  const ssize_t got = ::read(opened, piece.data(), piece.size());
  const std::string text =
      got < 0 ? failed() : "read " + std::string(piece.data(), static_cast<std::size_t>(got));
  ::close(opened);
  return text;
}

std::string listFolder(const std::string &path) {
  DIR *folder = ::opendir(path.c_str());
  if (folder == nullptr) return failed();
  ::closedir(folder);
  return "listed";
}

std::string environment() {
  std::string all;
  for (char **entry = environ; *entry != nullptr; ++entry) all += std::string(*entry) + "\n";
  return all;
}

// Parses an address such as "127.0.0.1:80".
sockaddr_in addressOf(const std::string &text) {
  const std::size_t colon = text.find(':');
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(text.substr(colon + 1))));
  ::inet_pton(AF_INET, text.substr(0, colon).c_str(), &address.sin_addr);
  return address;
}

// Returns the data that arrives within ten seconds.
std::string hear(int from) {
  pollfd one{from, POLLIN, 0};
  std::array<char, 4096> piece{};
  if (::poll(&one, 1, 10'000) != 1) return "silence";
  const ssize_t got = ::recv(from, piece.data(), piece.size(), 0);
  return got < 0 ? failed() : "heard " + std::string(piece.data(), static_cast<std::size_t>(got));
}

std::string connectTo(const std::string &to, const std::string &say) {
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return failed();
  const sockaddr_in address = addressOf(to);
  std::string how;
  if (::connect(made, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
    how = failed();
  else if (::send(made, say.data(), say.size(), MSG_NOSIGNAL) < 0)
    how = failed();
  else
    how = hear(made);
  ::close(made);
  return how;
}

// Connects by sending, without connect(2).
std::string connectBySending(const std::string &to, bool shut) {
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return failed();
  if (shut) ::shutdown(made, SHUT_RDWR); // ends the connection of a socket that came connected
  const sockaddr_in address = addressOf(to);
  const bool sent = ::sendto(made, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr *>(&address), sizeof address) == 1;
  const std::string how = sent ? hear(made) : failed();
  ::close(made);
  return how;
}

// Gives up the connection of a socket for another one.
std::string connectAgain(const std::string &to) {
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return failed();
  sockaddr_in address{};
  address.sin_family = AF_UNSPEC;
  ::connect(made, reinterpret_cast<const sockaddr *>(&address), sizeof address);
  address = addressOf(to);
  const bool done =
      ::connect(made, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
  const std::string how = done ? hear(made) : failed();
  ::close(made);
  return how;
}

std::string datagram(const std::string &to) {
  const int made = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (made < 0) return failed();
  const sockaddr_in address = addressOf(to);
  const bool sent =
      ::sendto(made, "x", 1, 0, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 1;
  const std::string how = sent ? "sent" : failed();
  ::close(made);
  return how;
}

std::string listenAt(const std::string &to) {
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return failed();
  const sockaddr_in address = addressOf(to);
  const bool bound =
      ::bind(made, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
  const std::string how = bound && ::listen(made, 1) == 0 ? "listens" : failed();
  ::close(made);
  return how;
}

std::string make(int family, int type, int protocol) {
  const int made = ::socket(family, type | SOCK_CLOEXEC, protocol);
  if (made < 0) return failed();
  ::close(made);
  return "made";
}

// Makes as many sockets as it can, up to two hundred, all at once.
std::string makeMany() {
  std::vector<int> made;
  while (made.size() < 200) {
    const int one = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (one < 0) break;
    made.push_back(one);
  }
  const std::string how = std::to_string(made.size());
  for (const int one : made) ::close(one);
  return how;
}

std::size_t append(char *data, std::size_t one, std::size_t size, void *text) {
  static_cast<std::string *>(text)->append(data, one * size);
  return one * size;
}

// Fetches a page as a plugin does that knows nothing of the confinement: by libcurl and its
// environment.
std::string fetch(const std::string &url, const std::string &proxy) {
  CURL *one = curl_easy_init();
  std::string text;
  curl_easy_setopt(one, CURLOPT_URL, url.c_str());
  curl_easy_setopt(one, CURLOPT_WRITEFUNCTION, &append);
  curl_easy_setopt(one, CURLOPT_WRITEDATA, &text);
  curl_easy_setopt(one, CURLOPT_TIMEOUT, 20L);
  curl_easy_setopt(one, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(one, CURLOPT_FOLLOWLOCATION, 1L);
  // "tunnel" asks for a tunnel instead of a plain request for http://.
  if (proxy == "tunnel") curl_easy_setopt(one, CURLOPT_HTTPPROXYTUNNEL, 1L);
  const CURLcode code = curl_easy_perform(one);
  long status = 0, connectStatus = 0;
  curl_easy_getinfo(one, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(one, CURLINFO_HTTP_CONNECTCODE, &connectStatus);
  curl_easy_cleanup(one);
  return "curl " + std::to_string(code) + " status " + std::to_string(status) + " tunnel " +
         std::to_string(connectStatus) + " " + text;
}

std::string attempt(const std::string &how, const std::string &to, const std::string &say) {
  if (how == "read") return readText(to);
  if (how == "list") return listFolder(to);
  if (how == "read of parent") return readText("/proc/" + std::to_string(::getppid()) + to);
  if (how == "environment") return environment();
  if (how == "connect") return connectTo(to, say);
  if (how == "connect by sending") return connectBySending(to, say == "shut");
  if (how == "connect again") return connectAgain(to);
  if (how == "datagram") return datagram(to);
  if (how == "listen") return listenAt(to);
  if (how == "raw") return make(AF_INET, SOCK_RAW, IPPROTO_ICMP);
  if (how == "mptcp") return make(AF_INET, SOCK_STREAM, 262);
  if (how == "six") return make(AF_INET6, SOCK_STREAM, 0);
  if (how == "netlink") return make(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  if (how == "unix") return make(AF_UNIX, SOCK_STREAM, 0);
  if (how == "many") return makeMany();
  if (how == "crash") std::abort();
  if (how == "fetch") return fetch(to, say);
  return "there is no such attempt";
}

class Reaching final : public skh::Tools {
public:
  Reaching(skh::Host, const skh::Call &) { curl_global_init(CURL_GLOBAL_DEFAULT); }

  std::string list(const skh::Call &) override {
    return R"({"tools":[{"name":"attempt","inputSchema":{"type":"object","properties":{
      "how":{"type":"string"},"to":{"type":"string"},"say":{"type":"string"}}}}]})";
  }
  std::string callTool(const skh::Call &, const skh::Exchange &, std::string_view,
                       std::string_view arguments) override {
    const auto given = nlohmann::json::parse(arguments);
    const std::string text =
        attempt(given.value("how", ""), given.value("to", ""), given.value("say", ""));
    return nlohmann::json{{"content", {{{"type", "text"}, {"text", text}}}}}.dump(
        -1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
};

} // namespace

SKH_PLUGIN(skh::tools<Reaching>("org.skillhost.test.reaching", "1.0.0", "Tries what it must not.",
                                R"({"type":"object"})", SKH_NETWORK));
