/* SPDX-License-Identifier: Apache-2.0 */
/* This handler returns SKH_OK without an answer if the body is not whole. */
#define HANDLE no_answer
#include "small_http.h"

static skh_status no_answer(void *self, const skh_call *call, const skh_request *request,
                            const skh_response *response) {
  const skh_status status = handle(self, call, request, response);
  return status == SKH_CANCELLED ? SKH_OK : status;
}

SMALL_HTTP("http_no_answer");
