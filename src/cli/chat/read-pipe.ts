import { createInterface } from 'node:readline';
import type { ChatInput } from './chat.ts';

/** Messages from a pipe or a file, one a line. Nobody is asked anything. */
export function readPipe(): ChatInput {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  const each = lines[Symbol.asyncIterator]();
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const interrupted: (() => void)[] = [];
  const onSignal = () => {
    for (const listener of interrupted) listener();
  };
  process.on('SIGINT', onSignal);
  return {
    interactive: false,
    async next() {
      const line = await Promise.race([each.next(), ended]);
      return line === undefined || line.done ? undefined : line.value;
    },
    ask: async () => undefined,
    confirm: async () => false,
    onInterrupt(listener) {
      interrupted.push(listener);
    },
    onAhead() {},
    redraw() {},
    end: () => end(undefined),
    [Symbol.dispose]() {
      process.off('SIGINT', onSignal);
      lines.close();
      process.stdin.destroy();
    },
  };
}
