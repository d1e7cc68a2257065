import type { IncomingMessage } from 'node:http';
import { refused } from '../../operations/index.ts';

/** The text of a request, if it is not too large. Read from the socket itself: making a web stream of it takes longer than the rest. */
export function readBody(incoming: IncomingMessage, limit: number): Promise<string> {
  const told = Number(incoming.headers['content-length'] ?? 0);
  if (told > limit) return Promise.reject(tooLarge(told, limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= limit) chunks.push(chunk);
      else reject(tooLarge(bytes, limit));
    });
    incoming.once('end', () =>
      resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')),
    );
    incoming.once('error', () => reject(brokeOff()));
    // It closes behind every request; only before its end something is missing.
    incoming.once('close', () => incoming.readableEnded || reject(brokeOff()));
  });
}

/** The client is gone, and nothing is wrong with the server. */
function brokeOff() {
  return refused('cancelled', 'The request broke off.');
}

function tooLarge(bytes: number, limit: number) {
  return refused(
    'request-too-large',
    `The request has ${bytes} bytes or more, and the server takes ${limit} at once.`,
    { bytes, limit },
  );
}
