// SPDX-License-Identifier: Apache-2.0
// Server-sent events as fetch delivers them: pieces of text, cut anywhere, become the data of whole events.

// One event may be as long as the longest answer of a server; beyond this the stream is no MCP.
const longestEvent = 64 * 1024 * 1024;

export class EventStreamReader {
  private unfinished: string[] = []; // pieces of the line that has not ended
  private data: string[] = [];
  private length = 0; // of both
  private skipLineFeed = false; // the last piece ended with a carriage return

  // The data of the events that end in this piece. Throws RangeError when an event does not end.
  push(piece: string): string[] {
    const events: string[] = [];
    let from = this.skipLineFeed && piece.startsWith('\n') ? 1 : 0;
    if (piece !== '') this.skipLineFeed = piece.endsWith('\r');
    for (let at = from; at < piece.length; at += 1) {
      const character = piece.charCodeAt(at);
      if (character !== 0x0a && character !== 0x0d) continue;
      this.unfinished.push(piece.slice(from, at));
      const line = this.unfinished.join('');
      this.unfinished = [];
      if (character === 0x0d && piece.charCodeAt(at + 1) === 0x0a) at += 1;
      from = at + 1;
      this.line(line, events);
    }
    this.unfinished.push(piece.slice(from));
    this.length += piece.length - from;
    if (this.length > longestEvent) throw new RangeError('An event of the stream does not end.');
    return events;
  }

  private line(line: string, events: string[]): void {
    if (line === '') {
      if (this.data.length > 0) events.push(this.data.join('\n'));
      this.data = [];
      this.length = 0;
      return;
    }
    if (!line.startsWith('data:')) return; // comments keep the connection open; id and event are not used
    const value = line.startsWith('data: ') ? line.slice(6) : line.slice(5);
    this.data.push(value);
    this.length += value.length;
  }
}

export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events = new EventStreamReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* events.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // The reader may have left in the middle of the stream: that ends the request.
    reader.cancel().catch(() => undefined);
  }
}
