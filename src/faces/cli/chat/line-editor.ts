import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { cyan } from '../terminal/paint.ts';
import { surviveStops } from '../terminal/survive-stops.ts';
import type { AheadListener, ChatInput } from './chat.ts';
import { collectPastes, PASTE_OFF, PASTE_ON } from './collect-pastes.ts';

const GOES_ON = '... ';

/**
 * Lines from a person at a terminal: editing, history, several lines in one message. While an answer is written the editor
 * listens without a sound, so that Ctrl-C works; with the first key that writes something it shows itself, and the output of
 * the answer waits until the line is sent or taken back.
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
  let ahead: AheadListener | undefined;
  /** Something is being typed into an answer, and shown. */
  let typing = false;
  let waiting: { take: (line: string | undefined) => void; confirm: boolean } | undefined;
  let begun: string[] = [];
  let ended = false;

  function beginTyping(): void {
    typing = true;
    ahead?.typing(true);
    editor.setPrompt(begun.length > 0 ? GOES_ON : lastPrompt);
    quiet = false;
    editor.prompt(true);
  }

  /** `sent`: the line stays on the screen; otherwise it is taken away, and kept for the next prompt. */
  function endTyping({ sent }: { sent: boolean }): void {
    if (!typing) return;
    typing = false;
    quiet = true;
    const { rows } = editor.getCursorPos();
    if (!sent) shown.write(`${rows > 0 ? `\x1b[${rows}A` : ''}\r\x1b[J`);
    ahead?.typing(false);
  }

  /** What stands in the line, which is empty then. */
  function takeLine(): string {
    const { line } = editor;
    editor.write(null, { ctrl: true, name: 'e' });
    editor.write(null, { ctrl: true, name: 'u' });
    return line;
  }

  /** A line that was being typed is no answer to a question; it comes back afterwards. */
  function setAside(): () => void {
    const line = editor.line === '' ? '' : takeLine();
    return () => {
      if (line === '' || ended) return;
      editor.write(line);
      if (ahead && !waiting) beginTyping();
    };
  }

  keys.on('keypress', () => {
    if (waiting || !ahead) return;
    if (!typing && editor.line !== '') beginTyping();
    else if (typing && editor.line === '' && begun.length === 0) endTyping({ sent: false });
  });

  function hand(line: string | undefined): void {
    const asked = waiting;
    waiting = undefined;
    quiet = true;
    asked?.take(line);
  }

  /** Parts of a message, and answers to a question, are left out of the history. */
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
      if (waiting || typing) editor.prompt();
      return;
    }
    const whole = pastes.restore([...begun, line].join('\n'));
    if (begun.length > 0) {
      forget(line);
      remembered.unshift(pastes.recall(whole));
    }
    begun = [];
    if (waiting) return hand(whole);
    const taken = typed.length === 0 && ahead?.line(whole);
    if (!taken) typed.push(whole);
    endTyping({ sent: true });
  });
  editor.on('SIGINT', () => {
    if (waiting && !waiting.confirm && (editor.line !== '' || begun.length > 0)) {
      // The line is dropped, as in a shell; the chat goes on.
      begun = [];
      shown.write('^C\n');
      takeLine();
      editor.setPrompt(lastPrompt);
      return editor.prompt();
    }
    if (waiting?.confirm) {
      shown.write('\n');
      hand(undefined);
    }
    for (const listener of interrupted) listener();
  });
  const stops = surviveStops(editor, {
    onLeave: () => shown.write(PASTE_OFF),
    onBack() {
      shown.write(PASTE_ON);
      if (waiting || typing) editor.prompt(true);
    },
  });
  editor.on('close', () => {
    ended = true;
    if (waiting) shown.write('\n');
    hand(undefined);
  });

  let lastPrompt = '';
  function ask(prompt: string, { confirm }: { confirm: boolean }): Promise<string | undefined> {
    if (ended) return Promise.resolve(undefined);
    endTyping({ sent: false });
    const putBack = confirm ? setAside() : undefined;
    const next = new Promise<string | undefined>((take) => {
      waiting = { take, confirm };
    });
    lastPrompt = cyan(prompt);
    editor.setPrompt(lastPrompt);
    quiet = false;
    editor.prompt(true);
    if (putBack) void next.then(putBack);
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
      endTyping({ sent: false });
      ahead = listener;
    },
    async lend(work) {
      shown.write(PASTE_OFF);
      process.stdin.unpipe(pastes.keys);
      process.stdin.pause();
      process.stdin.setRawMode(false);
      try {
        return await work();
      } finally {
        process.stdin.setRawMode(true);
        process.stdin.pipe(pastes.keys);
        shown.write(PASTE_ON);
      }
    },
    above(write) {
      if (!waiting) return write();
      const line = takeLine();
      shown.write('\r\x1b[J');
      write();
      editor.prompt();
      if (line !== '') editor.write(line);
    },
    end: () => editor.close(),
    [Symbol.dispose]() {
      editor.close();
      stops[Symbol.dispose]();
      shown.off('resize', onResize);
      shown.write(PASTE_OFF);
      process.stdin.unpipe(pastes.keys);
      process.stdin.pause();
    },
  };
}
