// SPDX-License-Identifier: Apache-2.0
// A text may keep the parser busy for minutes. It does so here, where the page can end it.

import { markdownToHtml } from './markdown_html';

addEventListener('message', (event: MessageEvent<string>) => {
  postMessage(markdownToHtml(event.data));
});
