// SPDX-License-Identifier: Apache-2.0
#include "health.hpp"

#include "base/fault.hpp"
#include "ground/descriptor.hpp"
#include "ground/shown.hpp"
#include "ground/url.hpp"
#include "login/web.hpp"
#include "program.hpp"
#include "server_address.hpp"

#include <sys/eventfd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>

namespace skillhost {

int askHealth(const HealthQuestion &question) {
  if (const Result<app::HttpTarget> target = app::readTarget(question.url); !target)
    return programs::refuse(target.failure());
  const std::string url =
      std::string(urlParts(question.url)->origin) + (question.ready ? "/readyz" : "/healthz");
  ::signal(SIGPIPE, SIG_IGN);
  // Nobody writes to it: signals end this program directly.
  const Descriptor stop(::eventfd(0, EFD_CLOEXEC));
  if (!stop) throw std::runtime_error("eventfd: no descriptor left");
  WebRules web{question.authorities, question.connecting};
  web.allowPlain = web.allowLoopback = true; // no secret is sent, and the user chose the address
  web.agent = "skillhost/" SKILLHOST_VERSION;
  web.stop = stop.number();
  const Result<WebAnswer> answer = request(web, url, {"GET", {}, {}});
  if (!answer) return programs::refuse(answer.failure());
  constexpr int good = 200;
  if (answer->status != good)
    return programs::refuse(
        {Fault::Unavailable,
         url + ": HTTP status " + std::to_string(answer->status) + " " + answer->body});
  printShown(stdout, "%s\n", answer->body.c_str());
  return 0;
}

} // namespace skillhost
