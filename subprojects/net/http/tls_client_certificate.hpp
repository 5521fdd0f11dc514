// SPDX-License-Identifier: Apache-2.0
// Reads the certificate that a TLS client has shown. Part of the wrapping of libssl.
#pragma once

#include "base/http.hpp"

#include <openssl/ssl.h>

#include <memory>

namespace skillhost::http {

// Call it after the handshake. Returns null if there is no certificate or it was not verified.
// Names that are not valid UTF-8 or contain control characters are left out, so that no client is
// mistaken for another.
std::shared_ptr<const ClientCertificate> clientCertificate(SSL &session);

} // namespace skillhost::http
