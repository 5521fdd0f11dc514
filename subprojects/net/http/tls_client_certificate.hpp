// SPDX-License-Identifier: Apache-2.0
// What is told of the certificate that a TLS client has shown. Part of the wrapping of libssl.
#pragma once

#include "base/http.hpp"

#include <openssl/ssl.h>

#include <memory>

namespace skillhost::http {

// Null when there is none, or it was not verified. Names that are not valid UTF-8, or hold control
// characters, are left out: nobody is to be taken for somebody else. After the handshake.
std::shared_ptr<const ClientCertificate> clientCertificate(SSL &session);

} // namespace skillhost::http
