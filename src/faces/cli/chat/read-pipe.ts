import type { ChatInput } from './chat.ts';

/** Messages from a pipe or a file, one a line. No question is asked. */
export function readPipe(): ChatInput {
  const lines = linesOf(process.stdin.setEncoding('utf8'));
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const interrupted: (() => void)[] = [];
  const onSignal = () => {
    for (const listener of interrupted) listener();
  };
  process.on('SIGINT', onSignal);
  return {
    interactive: false,
    async next() {
      const line = await Promise.race([lines.next(), ended]);
      return line === undefined || line.done ? undefined : line.value;
    },
    ask: async () => undefined,
    confirm: async () => false,
    onInterrupt(listener) {
      interrupted.push(listener);
    },
    onAhead() {},
    lend: (work) => work(),
    above: (write) => write(),
    end: () => end(undefined),
    [Symbol.dispose]() {
      process.off('SIGINT', onSignal);
      process.stdin.destroy();
    },
  };
}

/** Only a line feed ends a line: `readline` also cuts at U+2028 and at a lone carriage return, in the middle of a message. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const chunk of chunks) {
    const [first = '', ...more] = chunk.split('\n');
    rest += first;
    for (const next of more) {
      yield rest.replace(/\r$/, '');
      rest = next;
    }
  }
  if (rest !== '') yield rest;
}
