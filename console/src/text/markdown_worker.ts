// SPDX-License-Identifier: Apache-2.0
// Some texts keep the parser busy for minutes. It runs in this worker, so that the page can stop it.

import { markdownToHtml } from './markdown_html';

addEventListener('message', (event: MessageEvent<string>) => {
  postMessage(markdownToHtml(event.data));
});
