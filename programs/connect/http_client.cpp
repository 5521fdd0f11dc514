// SPDX-License-Identifier: Apache-2.0
#include "http_client.hpp"

#include "curl_owned.hpp"
#include "ground/authorities.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

// A server whose machine is gone says nothing: after this long without any sign of it we know.
constexpr long silenceSeconds = 15, unansweredMilliseconds = 30'000;
// Younger than what servers keep idle connections for, so that none ends just as it is used again.
constexpr long reuseSeconds = 15;

using Easy = CurlOwned<CURL, &curl_easy_cleanup>;
using Multi = CurlOwned<CURLM, &curl_multi_cleanup>;
using List = CurlOwned<curl_slist, &curl_slist_free_all>;

struct Running {
  Easy easy;
  List fields;
  HttpAsk ask;
  std::shared_ptr<HttpReceiver> receiver;
  HttpHead head;
  bool begun = false, refused = false, stopped = false;
  const bool *paused = nullptr;
  std::array<char, CURL_ERROR_SIZE> words{};
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() &&
         (text.back() == '\r' || text.back() == '\n' || text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

// `name` is in lower case.
bool isNamed(std::string_view field, std::string_view name) {
  return std::equal(field.begin(), field.end(), name.begin(), name.end(), [](char one, char other) {
    return std::tolower(static_cast<unsigned char>(one)) == other;
  });
}

void headLine(Running &running, std::string_view line) {
  if (line.starts_with("HTTP/")) {
    running.head = {}; // the one before was 1xx
    const std::size_t space = line.find(' ');
    if (space != std::string_view::npos)
      std::from_chars(&line[space] + 1, &line.back(), running.head.status);
    return;
  }
  if (trimmed(line).empty()) {
    if (running.head.status < 200 || std::exchange(running.begun, true)) return;
    char *location = nullptr;
    curl_easy_getinfo(running.easy.get(), CURLINFO_REDIRECT_URL, &location);
    if (location != nullptr) running.head.location = location;
    if (!running.stopped) running.receiver->head(running.head);
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
  if (isNamed(name, "content-type")) running.head.type = mediaTypeOf(value);
  if (isNamed(name, "mcp-session-id")) running.head.session = value;
  if (isNamed(name, "retry-after")) running.head.retryAfter = value;
  if (isNamed(name, "location")) running.head.location = value;
  if (isNamed(name, "www-authenticate"))
    running.head.challenge += (running.head.challenge.empty() ? "" : ", ") + std::string(value);
}

// Nothing may be thrown through libcurl; what is told to stop by a wrong count stops.
std::size_t onHead(char *bytes, std::size_t one, std::size_t count, void *user) noexcept {
  headLine(*static_cast<Running *>(user), {bytes, one * count});
  return one * count;
}

std::size_t onBody(char *bytes, std::size_t one, std::size_t count, void *user) noexcept {
  auto &running = *static_cast<Running *>(user);
  if (*running.paused) return CURL_WRITEFUNC_PAUSE; // and once more later, with the same bytes
  if (!running.stopped && running.receiver->take({bytes, one * count})) return one * count;
  running.refused = true;
  return 0;
}

int onSocket(void *, curl_socket_t socket, curlsocktype) noexcept {
  const int span = unansweredMilliseconds;
  ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &span, sizeof span);
  return CURL_SOCKOPT_OK;
}

HttpEnd::Kind kindOf(const Running &running, CURLcode code) {
  if (code == CURLE_OK) return HttpEnd::Kind::Complete;
  if (running.refused) return HttpEnd::Kind::TooLarge;
  if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE)
    return HttpEnd::Kind::Untrusted;
  curl_off_t begun = 0; // when the request was about to be sent
  curl_easy_getinfo(running.easy.get(), CURLINFO_PRETRANSFER_TIME_T, &begun);
  return begun == 0 ? HttpEnd::Kind::NeverSent : HttpEnd::Kind::Broken;
}

} // namespace

class HttpClient::Exchanges {
public:
  explicit Exchanges(Settings settings) : settings_(std::move(settings)) {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (started == CURLE_OK) multi_.reset(curl_multi_init());
    if (!multi_) throw std::runtime_error("libcurl cannot start");
  }
  ~Exchanges() {
    for (auto &[number, running] : running_)
      curl_multi_remove_handle(multi_.get(), running->easy.get());
  }
  Exchanges(const Exchanges &) = delete;
  Exchanges &operator=(const Exchanges &) = delete;

  Number start(HttpAsk ask, std::shared_ptr<HttpReceiver> receiver) {
    auto running = std::make_unique<Running>();
    running->easy.reset(curl_easy_init());
    if (!running->easy) throw std::runtime_error("libcurl has no handle left");
    running->ask = std::move(ask);
    running->receiver = std::move(receiver);
    running->paused = &paused_;
    prepare(*running);
    curl_multi_add_handle(multi_.get(), running->easy.get());
    running_.emplace(++last_, std::move(running));
    return last_;
  }

  // Only marked: libcurl, and its receiver, may be in the middle of it.
  void stop(Number number) {
    const auto found = running_.find(number);
    if (found == running_.end()) return;
    found->second->stopped = true;
    stopped_.push_back(number);
  }

  void pause(bool paused) {
    if (std::exchange(paused_, paused) == paused || paused) return;
    for (auto &[number, running] : running_) curl_easy_pause(running->easy.get(), CURLPAUSE_CONT);
  }

  void work(std::chrono::milliseconds most, int wake) {
    clean();
    int under_way = 0;
    curl_multi_perform(multi_.get(), &under_way);
    if (!ended()) {
      curl_waitfd watched{wake, CURL_WAIT_POLLIN, 0};
      curl_multi_poll(multi_.get(), &watched, 1, static_cast<int>(most.count()), nullptr);
      curl_multi_perform(multi_.get(), &under_way);
      ended();
    }
    clean();
  }

private:
  void prepare(Running &running) const;

  void clean() {
    for (const Number number : std::exchange(stopped_, {})) {
      const auto found = running_.find(number);
      if (found == running_.end()) continue;
      curl_multi_remove_handle(multi_.get(), found->second->easy.get());
      running_.erase(found);
    }
  }

  // Tells of what has ended; whether there was any.
  bool ended() {
    bool any = false;
    int left = 0;
    while (const CURLMsg *message = curl_multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      const auto found = std::find_if(running_.begin(), running_.end(), [&](const auto &one) {
        return one.second->easy.get() == message->easy_handle;
      });
      if (found == running_.end()) continue;
      const std::unique_ptr<Running> running = std::move(found->second);
      running_.erase(found);
      curl_multi_remove_handle(multi_.get(), running->easy.get());
      any = true;
      if (running->stopped) continue;
      HttpEnd end{kindOf(*running, code), {}};
      if (code != CURLE_OK)
        end.why = running->words.front() != '\0' ? running->words.data() : curl_easy_strerror(code);
      running->receiver->end(end);
    }
    return any;
  }

  const Settings settings_;
  Multi multi_;
  std::map<Number, std::unique_ptr<Running>> running_;
  std::vector<Number> stopped_;
  Number last_ = 0;
  bool paused_ = false;
};

void HttpClient::Exchanges::prepare(Running &running) const {
  CURL *const easy = running.easy.get();
  const auto set = [easy](CURLoption option, auto value) { curl_easy_setopt(easy, option, value); };
  set(CURLOPT_URL, settings_.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings_.connecting.count()));
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_TCP_KEEPIDLE, silenceSeconds);
  set(CURLOPT_TCP_KEEPINTVL, silenceSeconds / 3);
  set(CURLOPT_SOCKOPTFUNCTION, &onSocket);
  set(CURLOPT_MAXAGE_CONN, reuseSeconds);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_ERRORBUFFER, running.words.data());
  set(CURLOPT_HEADERFUNCTION, &onHead);
  set(CURLOPT_HEADERDATA, &running);
  set(CURLOPT_WRITEFUNCTION, &onBody);
  set(CURLOPT_WRITEDATA, &running);
  if (settings_.direct) set(CURLOPT_NOPROXY, "*");
  if (!settings_.authorities.empty()) {
    set(CURLOPT_CAINFO, settings_.authorities.c_str());
    set(CURLOPT_CAPATH, static_cast<const char *>(nullptr));
  } else if (const std::string instead =
                 authoritiesInstead(curl_version_info(CURLVERSION_NOW)->cainfo);
             !instead.empty()) {
    set(CURLOPT_CAINFO, instead.c_str());
  }
  if (running.ask.method == "POST") {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(running.ask.body.size()));
    set(CURLOPT_POSTFIELDS, running.ask.body.c_str());
  } else if (running.ask.method != "GET") {
    set(CURLOPT_CUSTOMREQUEST, running.ask.method.c_str());
  }
  running.ask.fields.emplace_back("Expect", ""); // no 100-continue: it costs a round trip
  for (const auto &[name, value] : running.ask.fields) {
    curl_slist *const longer = curl_slist_append(
        running.fields.get(), (name + (value.empty() ? ":" : ": ") + value).c_str());
    if (longer == nullptr) throw std::bad_alloc();
    if (!running.fields) running.fields.reset(longer);
  }
  set(CURLOPT_HTTPHEADER, running.fields.get());
  set(CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE)); // nothing of it to a proxy
}

HttpClient::HttpClient(Settings settings)
    : exchanges_(std::make_unique<Exchanges>(std::move(settings))) {}
HttpClient::~HttpClient() = default;

HttpClient::Number HttpClient::start(HttpAsk ask, std::shared_ptr<HttpReceiver> receiver) {
  return exchanges_->start(std::move(ask), std::move(receiver));
}
void HttpClient::stop(Number number) { exchanges_->stop(number); }
void HttpClient::pause(bool paused) { exchanges_->pause(paused); }
void HttpClient::work(std::chrono::milliseconds most, int wake) { exchanges_->work(most, wake); }

} // namespace skillhost
