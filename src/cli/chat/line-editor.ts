import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { cyan } from '../terminal/paint.ts';
import type { ChatInput } from './chat.ts';
import { collectPastes, PASTE_OFF, PASTE_ON } from './collect-pastes.ts';

const GOES_ON = '... ';

/**
 * Lines from a person at a terminal: editing, history, several lines in one message. While an answer is written the
 * editor listens without a sound, so that Ctrl-C works and nothing that is typed ahead is lost.
 */
export function openLineEditor({ history }: { history: readonly string[] }): ChatInput {
  const shown = process.stdout.isTTY ? process.stdout : process.stderr;
  const pastes = collectPastes();
  const keys = Object.assign(process.stdin.pipe(pastes.keys), {
    isTTY: true,
    setRawMode: (raw: boolean) => process.stdin.setRawMode(raw),
  });
  let quiet = true;
  const output = Object.assign(
    new Writable({
      write(chunk, _, done) {
        if (!quiet) shown.write(chunk);
        done();
      },
    }),
    { isTTY: true },
  );
  Object.defineProperty(output, 'columns', { get: () => shown.columns });
  const onResize = () => void output.emit('resize');
  shown.on('resize', onResize);
  shown.write(PASTE_ON);

  const editor = createInterface({
    input: keys,
    output,
    terminal: true,
    history: history.map(pastes.recall),
    historySize: 500,
    removeHistoryDuplicates: true,
  });
  /** The editor's own, newest first: it may be changed. */
  let remembered: string[] = [];
  editor.on('history', (lines) => {
    remembered = lines;
  });
  const typed: string[] = [];
  const interrupted: (() => void)[] = [];
  let ahead: ((line: string) => boolean) | undefined;
  let waiting: { take: (line: string | undefined) => void; confirm: boolean } | undefined;
  let begun: string[] = [];
  let ended = false;

  function hand(line: string | undefined): void {
    const asked = waiting;
    waiting = undefined;
    quiet = true;
    asked?.take(line);
  }

  /** What was only a part of a message, or an answer to a question, is not worth coming back to. */
  function forget(line: string): void {
    if (remembered[0] === line) remembered.shift();
  }

  editor.on('line', (line) => {
    if (waiting?.confirm) {
      forget(line);
      return hand(line);
    }
    if (/(?:^|[^\\])(?:\\\\)*\\$/.test(line)) {
      forget(line);
      begun.push(line.slice(0, -1));
      editor.setPrompt(GOES_ON);
      if (waiting) editor.prompt();
      return;
    }
    const whole = pastes.restore([...begun, line].join('\n'));
    if (begun.length > 0) {
      forget(line);
      remembered.unshift(pastes.recall(whole));
    }
    begun = [];
    if (waiting) hand(whole);
    else if (typed.length > 0 || !ahead?.(whole)) typed.push(whole);
  });
  editor.on('SIGINT', () => {
    if (waiting && !waiting.confirm && (editor.line !== '' || begun.length > 0)) {
      // What was begun is dropped, as in a shell; nobody wanted to leave.
      begun = [];
      shown.write('^C\n');
      editor.write(null, { ctrl: true, name: 'e' });
      editor.write(null, { ctrl: true, name: 'u' });
      editor.setPrompt(lastPrompt);
      return editor.prompt();
    }
    if (waiting?.confirm) {
      shown.write('\n');
      hand(undefined);
    }
    for (const listener of interrupted) listener();
  });
  editor.on('close', () => {
    ended = true;
    if (waiting) shown.write('\n');
    hand(undefined);
  });

  let lastPrompt = '';
  function ask(prompt: string, { confirm }: { confirm: boolean }): Promise<string | undefined> {
    if (ended) return Promise.resolve(undefined);
    const next = new Promise<string | undefined>((take) => {
      waiting = { take, confirm };
    });
    lastPrompt = cyan(prompt);
    editor.setPrompt(lastPrompt);
    quiet = false;
    editor.prompt(true);
    return next;
  }

  return {
    interactive: true,
    next(prompt) {
      const line = typed.shift();
      return line === undefined ? ask(prompt, { confirm: false }) : Promise.resolve(line);
    },
    ask: (question) => ask(`${question} `, { confirm: true }),
    async confirm(question) {
      const answer = await ask(`${question} `, { confirm: true });
      return /^y(?:es)?$/i.test(answer?.trim() ?? '');
    },
    onInterrupt(listener) {
      interrupted.push(listener);
    },
    onAhead(listener) {
      ahead = listener;
    },
    redraw() {
      if (waiting) editor.prompt(true);
    },
    end: () => editor.close(),
    [Symbol.dispose]() {
      editor.close();
      shown.off('resize', onResize);
      shown.write(PASTE_OFF);
      process.stdin.unpipe(pastes.keys);
      process.stdin.pause();
    },
  };
}
