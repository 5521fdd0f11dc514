// SPDX-License-Identifier: Apache-2.0
// Turns server-sent events, which fetch delivers in arbitrary pieces, into the data of whole events.

// No valid answer is longer than this, so a longer event is an error.
const maxEventLength = 64 * 1024 * 1024;

export class EventStreamReader {
  private unfinished: string[] = []; // pieces of the line that has not ended yet
  private data: string[] = [];
  private length = 0; // characters of both
  private skipLineFeed = false; // the last piece ended with a carriage return

  // Returns the data of the events that end in this piece. Throws RangeError if an event is too long.
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
    if (this.length > maxEventLength) throw new RangeError('An event of the stream does not end.');
    return events;
  }

  private line(line: string, events: string[]): void {
    if (line === '') {
      if (this.data.length > 0) events.push(this.data.join('\n'));
      this.data = [];
      this.length = 0;
      return;
    }
    // ignores comments, which keep the connection open, and the fields id and event
    if (!line.startsWith('data:')) return;
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
    // The caller may stop reading before the stream ends. Cancelling ends the request.
    reader.cancel().catch(() => undefined);
  }
}
