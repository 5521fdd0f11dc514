// SPDX-License-Identifier: Apache-2.0
// Tests which headers contain a token, which contain none, and which are wrong.
#include "catch2.hpp"
#include "net/bearer.hpp"

#include <vector>

using namespace skillhost;
using State = Bearer::State;

namespace {

Bearer of(const std::vector<std::string_view> &values, std::string_view query = {}) {
  HttpRequest request;
  request.query = query;
  for (const std::string_view value : values) request.fields.push_back({"authorization", value});
  return bearerOf(request);
}

} // namespace

TEST_CASE("a token follows the scheme, in any case, after any spaces") {
  for (const std::string_view value :
       {"Bearer abc", "bearer abc", "BEARER abc", "bEaReR  abc", "Bearer    abc"}) {
    INFO(value);
    const Bearer bearer = of({value});
    CHECK(bearer.state == State::Present);
    CHECK(bearer.token == "abc");
  }
  CHECK(of({"Bearer aZ09-._~+/=="}).token == "aZ09-._~+/==");
}

TEST_CASE("no header, or one of another scheme, is no credential") {
  CHECK(of({}).state == State::Missing);
  CHECK(of({""}).state == State::Missing);
  CHECK(of({"Basic dXNlcjpwYXNz"}).state == State::Missing);
  CHECK(of({"Bearers abc"}).state == State::Missing);
  CHECK(of({"Beare abc"}).state == State::Missing);
}

TEST_CASE("what is no token68 is malformed, and no reason repeats it") {
  for (const std::string_view value :
       {"Bearer", "Bearer ", "Bearer =", "Bearer ==", "Bearer a b", "Bearer a,b", "Bearer \"ab\"",
        "Bearer a=b", "Bearer t\xC3\xA9st", "Bearer a\tb", "Bearer\tab", "Bearer a; b"}) {
    INFO(value);
    const Bearer bearer = of({value});
    // A tab is no separator, so the header with one has an unknown scheme.
    CHECK(bearer.state == (value == "Bearer\tab" ? State::Missing : State::Malformed));
    CHECK(bearer.token.empty());
  }
}

TEST_CASE("a variable that is not set where the client starts is told from a wrong token") {
  for (const std::string_view value :
       {"Bearer ${ADA}", "bearer $ADA", "Bearer %ADA%", "Bearer ${env:ADA}", "Bearer ${{ x.y }}"}) {
    INFO(value);
    const Bearer bearer = of({value});
    CHECK(bearer.state == State::Unset);
    CHECK(bearer.token.empty());
    CHECK(bearer.reason.find("ADA") == std::string_view::npos);
    CHECK(bearer.reason.find("variable") != std::string_view::npos);
  }
}

TEST_CASE("two headers are malformed, even when they are equal") {
  CHECK(of({"Bearer abc", "Bearer abc"}).state == State::Malformed);
  CHECK(of({"Basic x", "Bearer abc"}).state == State::Malformed);
}

TEST_CASE("a token in the query is refused, however it is written") {
  for (const std::string_view query :
       {"access_token=abc", "a=1&access_token=abc", "access%5Ftoken=abc", "%61ccess_token",
        "a;access_token=x", "access_token"}) {
    INFO(query);
    CHECK(of({"Bearer abc"}, query).state == State::Malformed);
    CHECK(of({}, query).state == State::Malformed);
  }
  for (const std::string_view query : {"", "a=access_token", "my_access_token=1", "access_token2=1",
                                       "access%5token=1", "%", "&&=&"}) {
    INFO(query);
    CHECK(of({"Bearer abc"}, query).state == State::Present);
  }
}
