#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A browser with the parts that signing in needs: keeps cookies, follows redirects. browser.py URL

BROWSER_SEEN names a file that gets one line for each page: its status and address, without its
query."""
import http.cookiejar
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

opener = urllib.request.build_opener(urllib.request.ProxyHandler({}),
                                     urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
try:
    with opener.open(sys.argv[1], timeout=60) as page:
        status, address = page.status, page.url
except urllib.error.HTTPError as page:
    status, address = page.code, page.url
with open(os.environ["BROWSER_SEEN"], "a") as seen:
    seen.write(f"{status} {urllib.parse.urlsplit(address).path}\n")
