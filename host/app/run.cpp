// SPDX-License-Identifier: Apache-2.0
#include "app/run.hpp"

#include "access.hpp"
#include "app/command_line.hpp"
#include "app/log_configuration.hpp"
#include "app/process.hpp"
#include "base/log.hpp"
#include "ground/shown.hpp"
#include "plugin/end_after_plugins.hpp"
#include "serve.hpp"
#include "serve_http.hpp"

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace skillhost::app {
namespace {

int serveOnTransport(const Invocation &invocation, const std::vector<std::string> &arguments,
                     const Surroundings &surroundings, const BuiltFeatures &features) {
  const Logging logging(invocation.configuration.log, surroundings);
  for (const std::string &warning : invocation.warnings) log::warning("config", warning);
  for (const std::string &notice : invocation.notices) log::info("config", notice);
  const std::string &executable = surroundings.executable;
  return invocation.configuration.transport == Transport::Http
             ? serveHttp(invocation.configuration, features, executable,
                         invocation.configurationFile,
                         [&] { return parseCommandLine(arguments, surroundings); })
             : serve(invocation.configuration, features, executable);
}

} // namespace

int run(const std::vector<std::string> &arguments, const std::string &commit,
        const BuiltFeatures &features) try {
  Surroundings surroundings = Surroundings::ofThisProcess();
  surroundings.commit = commit;
  surroundings.featureTools = toolsOf(features.host.filters);
  const Result<Invocation> invocation = parseCommandLine(arguments, surroundings);
  if (!invocation) {
    printShown(stderr, "skillhost: %s\n", invocation.failure().message.c_str());
    return 1;
  }
  // `serve` writes its warnings to the log instead.
  if (invocation->command != Invocation::Command::Serve)
    for (const std::string &warning : invocation->warnings)
      printShown(stderr, "skillhost: %s\n", warning.c_str());
  // The program replaces this process, so it must start before this process has threads.
  if (invocation->command == Invocation::Command::Program)
    return runProgram(invocation->program, surroundings.executable);
  if (invocation->command == Invocation::Command::Print) {
    // The log reports variables of the environment that have no effect.
    const Logging logging(invocation->configuration.log, surroundings);
    std::fputs(invocation->text.c_str(), stdout);
    return exitCodeAfterPrinting(0);
  }
  return endAfterPlugins(serveOnTransport(*invocation, arguments, surroundings, features));
} catch (const ProviderRefused &error) {
  printShown(stderr, "skillhost: %s\n", error.what());
  return 2; // not 1, because a later start may succeed: the token provider cannot be reached
} catch (const std::bad_alloc &) {
  std::fputs("skillhost: there is not enough memory\n", stderr); // needs no memory
  return 1;
} catch (const std::exception &error) {
  printShown(stderr, "skillhost: %s\n", reasonOf(error).c_str());
  return 1;
}

} // namespace skillhost::app
