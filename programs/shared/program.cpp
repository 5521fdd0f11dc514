// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "app/process.hpp"
#include "base/process_start.hpp"
#include "commandline/help.hpp"
#include "ground/shown.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <utility>

namespace skillhost::programs {

int refuse(const Failure &why) {
  printShown(stderr, "skillhost: %s\n", why.message.c_str());
  return 1;
}

app::CommandDescription skillhostWith(std::vector<app::CommandDescription> commands) {
  return {"skillhost", "", false, {app::helpOption()}, {}, std::move(commands), {}};
}

int run(std::span<const std::string> arguments, const app::CommandDescription &program,
        const Work &work) try {
  prepareProcess();
  const Result<app::ParsedArguments> given = app::parseArguments(program, arguments);
  if (!given) return refuse(given.failure());
  if (given->has("--help")) {
    std::fputs(app::helpText(program, given->commands).c_str(), stdout);
    return app::withAllPrinted(0);
  }
  if (given->commands.empty()) return refuse({{}, "this program is for skillhost to execute"});
  return app::withAllPrinted(work(*given, app::Surroundings::ofThisProcess()));
} catch (const std::bad_alloc &) {
  std::fputs("skillhost: there is not enough memory\n", stderr); // takes none
  return 1;
} catch (const std::exception &why) {
  printShown(stderr, "skillhost: %s\n", app::reasonOf(why).c_str());
  return 1;
}

} // namespace skillhost::programs
