// SPDX-License-Identifier: Apache-2.0
// A board for the notices of a team: GET /notices reads it, POST /notices adds a line, and
// /notices/help is a constant.
#include "notice_board.hpp"

#include <skillhost/config.hpp>
#include <skillhost/http.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view help = "GET /notices: the newest notices, one a line.\n"
                                  "POST /notices: add the text of the body, at most 1,000 bytes.\n";
constexpr std::size_t maxNoticeBytes = 1000;
constexpr std::string_view textType = "text/plain; charset=utf-8";

class Notices final : public skh::Http {
public:
  Notices(skh::Host host, const skh::Call &)
      : board_(nlohmann::json::parse(host.config()).value("most", std::size_t{100})) {}

  void routes(const skh::Call &, const skh::Routes &out) override {
    out.add({.path = "/notices",
             .methods = "GET, POST",
             .permission = SKH_PERMISSION_READ,
             .maxBody = maxNoticeBytes});
    out.add({.path = "/notices/help",
             .flags = SKH_ROUTE_CONSTANT,
             .fields = {{"Content-Type", textType}},
             .content = help});
  }

  void handle(const skh::Call &, const skh::Request &request,
              const skh::Response &response) override {
    if (request.method() == "GET") return response.send(200, textType, board_.text());
    const std::string text = request.body();
    if (text.empty()) throw skh::Error(SKH_INVALID, "a notice without a text");
    board_.add(std::string(request.subject()), text);
    response.send(201, textType, "added\n");
  }

private:
  NoticeBoard board_;
};

constexpr const char *schema = R"({
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "most": {"type": "integer", "minimum": 1, "maximum": 10000, "description": "Notices that are kept."}
  }
})";

} // namespace

SKH_PLUGIN(skh::http<Notices>("org.skillhost.example.notices", "1.0.0", "A board of notices",
                              schema));
