// SPDX-License-Identifier: Apache-2.0
// skillhost/http.hpp - C++20 convenience over http.h: the kind "skh.http/1". Header only.
//
//   class Hello final : public skh::Http {
//   public:
//     Hello(skh::Host, const skh::Call &);
//     void routes(const skh::Call &, const skh::Routes &out) override { out.add({"/hello"}); }
//     void handle(const skh::Call &, const skh::Request &, const skh::Response &) override;
//   };
//   SKH_PLUGIN(skh::http<Hello>("org.example.hello", "1.0.0", "Says hello", schema))
//
// As in plugin.hpp, methods may throw, and views passed to them are valid until they return.
#pragma once

#include <skillhost/http.h>
#include <skillhost/plugin.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skh {

// Fields of an answer: names and values.
using HttpFields = std::vector<std::pair<std::string_view, std::string_view>>;

inline std::vector<skh_http_field> borrowFields(const HttpFields &fields) {
  std::vector<skh_http_field> raw;
  raw.reserve(fields.size());
  for (const auto &[name, value] : fields) raw.push_back({borrow(name), borrow(value)});
  return raw;
}

// The fields of skh_route; http.h explains them.
struct Route {
  std::string_view path{}, methods{};
  std::uint32_t flags = 0, permission = SKH_PERMISSION_NONE;
  std::uint64_t maxBody = 0;
  HttpFields fields{};        // of a constant
  std::string_view content{}; // of a constant
};

class Routes {
public:
  explicit Routes(const skh_routes *raw) noexcept : raw_(raw) {}
  void add(const Route &route) const {
    const std::vector<skh_http_field> fields = borrowFields(route.fields);
    const skh_route raw{sizeof raw,           route.flags,
                        route.permission,     static_cast<std::uint32_t>(fields.size()),
                        borrow(route.path),   borrow(route.methods),
                        route.maxBody,        fields.data(),
                        borrow(route.content)};
    check(raw_->add(raw_, &raw), "route refused");
  }

private:
  const skh_routes *raw_;
};

// A request. Valid until the method returns.
class Request {
public:
  explicit Request(const skh_request *raw) noexcept : raw_(raw) {}
  std::string_view method() const noexcept { return view(raw_->method); }
  std::string_view path() const noexcept { return view(raw_->path); }
  std::string_view query() const noexcept { return view(raw_->query); }
  std::string_view peer() const noexcept { return view(raw_->peer); }
  std::string_view issuer() const noexcept { return view(raw_->issuer); }
  std::string_view subject() const noexcept { return view(raw_->subject); }
  // Returns the first field with `name`, which must be in lower case.
  std::optional<std::string_view> field(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < raw_->field_count; ++i)
      if (view(raw_->fields[i].name) == name) return view(raw_->fields[i].value);
    return std::nullopt;
  }
  // Waits for the next bytes of the body, and returns their number; 0: the body has ended. `room`
  // must not be 0.
  std::size_t read(void *buffer, std::size_t room) const {
    std::size_t got = 0;
    check(raw_->read(raw_, buffer, room, &got), "the body of the request cannot be read");
    return got;
  }
  // Waits for all of the body and returns it.
  std::string body() const {
    std::string whole;
    std::string piece(std::size_t{64} << 10U, '\0');
    while (const std::size_t got = read(piece.data(), piece.size())) whole.append(piece, 0, got);
    return whole;
  }

private:
  const skh_request *raw_;
};

class Response {
public:
  explicit Response(const skh_response *raw) noexcept : raw_(raw) {}
  void begin(int status, const HttpFields &fields = {}) const {
    const std::vector<skh_http_field> raw = borrowFields(fields);
    check(raw_->begin(raw_, status, raw.data(), raw.size()), "status or fields refused");
  }
  void write(std::string_view data) const {
    check(raw_->write(raw_, data.data(), data.size()), "body refused");
  }
  // Sends a whole answer.
  void send(int status, std::string_view contentType, std::string_view body) const {
    begin(status, {{"Content-Type", contentType}});
    write(body);
  }

private:
  const skh_response *raw_;
};

class Http {
public:
  virtual ~Http() = default;
  virtual void routes(const Call &, const Routes &) = 0;
  virtual void handle(const Call &, const Request &, const Response &) {
    throw Error(SKH_NOT_FOUND, "all routes are constants");
  }
};

template <class T> struct HttpOps {
  static skh_status routes(void *self, const skh_call *c, const skh_routes *out) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->routes(Call{c}, Routes{out}); });
  }
  static skh_status handle(void *self, const skh_call *c, const skh_request *request,
                           const skh_response *response) noexcept {
    return guard(
        c, [&] { static_cast<T *>(self)->handle(Call{c}, Request{request}, Response{response}); });
  }
  static constexpr skh_http table{sizeof(skh_http), 0, &routes, &handle};
};

template <class T>
constexpr skh_plugin http(const char *id, const char *version, const char *summary,
                          const char *schema, std::uint32_t flags = 0,
                          const char *licence = "Apache-2.0") {
  return describe<T>(SKH_HTTP_KIND, &HttpOps<T>::table, id, version, summary, schema, flags,
                     licence);
}

} // namespace skh
