// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/surroundings.hpp"
#include "client_invocation.hpp"
#include "commandline/parser.hpp"

namespace skillhost::app {

Result<ClientInvocation> clientConfigInvocation(const ParsedArguments &given,
                                                const Surroundings &surroundings);

} // namespace skillhost::app
