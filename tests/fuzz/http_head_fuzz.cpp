// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a request: nothing crashes, the result does not depend on the pieces, and two
// readers could not disagree about its end.
#include "request_parser.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

using namespace skillhost;
using namespace skillhost::http;

namespace {

constexpr std::size_t maxBody = 1000;
using State = RequestParser::State;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Parsed {
  Parsed(std::string_view bytes, std::size_t piece)
      : parser(HeadLimits{2048, 20}, maxBody, request, head, body) {
    std::string waiting;
    for (std::size_t at = 0; at < bytes.size() && open(); at += piece) {
      waiting.append(bytes.substr(at, piece));
      for (std::size_t taken = 1; taken != 0;) {
        taken = parser.feed(waiting);
        require(taken <= waiting.size());
        used += taken;
        waiting.erase(0, taken);
      }
    }
  }
  bool open() const { return parser.state() == State::Head || parser.state() == State::Body; }

  HttpRequest request;
  std::string head, body;
  RequestParser parser;
  std::size_t used = 0;
};

bool within(std::string_view part, std::string_view whole) {
  return part.empty() ||
         (std::less_equal<>()(whole.data(), part.data()) &&
          std::less_equal<>()(part.data() + part.size(), whole.data() + whole.size()));
}

void check(const Parsed &parsed) {
  const HttpRequest &request = parsed.request;
  require(!request.method.empty() && !request.path.empty());
  require(request.body.size() <= maxBody && within(request.method, parsed.head));
  require(request.fields.size() <= 20);
  require(request.count("host") <= 1 && request.count("content-length") <= 1);
  require(!(request.field("content-length") && request.field("transfer-encoding")));
  for (const HttpField &field : request.fields) {
    require(!field.name.empty() && within(field.name, parsed.head));
    require(within(field.value, parsed.head));
    for (const char letter : field.name)
      require(letter > ' ' && letter != ':' && !(letter >= 'A' && letter <= 'Z'));
    require(field.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string bytes(data, data + size);
  const Parsed whole(bytes, std::max<std::size_t>(size, 1));
  const Parsed pieces(bytes, 1);
  require(whole.parser.state() == pieces.parser.state());
  if (whole.parser.state() == State::Refused)
    require(whole.parser.refusal().status == pieces.parser.refusal().status);
  if (whole.parser.state() != State::Complete) return 0;
  require(whole.used == pieces.used && whole.request.body == pieces.request.body);
  require(whole.request.path == pieces.request.path);
  check(whole);
  check(pieces);
  return 0;
}
