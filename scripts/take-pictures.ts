// node scripts/take-pictures.ts: runs the real program in a terminal of 96 columns and keeps what it shows as pictures in
// docs/pictures/. Run it again when what is shown has changed. Needs the "script" command that comes with Linux.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { drawTerminal } from './draw-terminal.ts';
import { fillDemoStore } from './fill-demo-store.ts';

const PICTURES: Record<string, readonly string[]> = {
  sessions: ['sessions'],
  context: ['context', '1', '--window', '4000'],
  search: ['search', 'why did the upload fail', '--limit', '3'],
};

/** What is typed into the chat, a line every two seconds. */
const TALK = [
  'The rate limiter is in src/limit.ts. We decided to use a token bucket.',
  'What did we decide about the limiter?',
  'context',
  'exit',
];

const COLUMNS = 96;
const folder = mkdtempSync(path.join(tmpdir(), 'throughline-pictures-'));
try {
  const store = path.join(folder, 'sessions.db');
  await fillDemoStore(store, Date.now());
  mkdirSync('docs/pictures', { recursive: true });
  for (const [name, words] of Object.entries(PICTURES)) {
    const title = ['throughline', ...words].join(' ');
    const shown = run(title, words, store);
    writeFileSync(`docs/pictures/${name}.svg`, drawTerminal(shown, { columns: COLUMNS, title }));
    console.log(`docs/pictures/${name}.svg`);
  }
  const chat = talk(path.join(folder, 'chat.db'));
  writeFileSync('docs/pictures/chat.svg', drawTerminal(chat, { columns: COLUMNS, title: 'throughline' }));
  console.log('docs/pictures/chat.svg');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What a person sees: the prompt with the command, and under it what the program prints to a terminal. */
function run(typed: string, words: readonly string[], store: string): string {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const command = `stty cols ${COLUMNS} rows 40; '${process.execPath}' bin/throughline.mjs ${quoted} 2>&1`;
  const env = { ...process.env, THROUGHLINE_STORE: store, TERM: 'xterm-256color', COLUMNS: String(COLUMNS) };
  const shown = execFileSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', env });
  return `\u001b[2m$\u001b[22m ${typed}\n${shown.replaceAll('\r\n', '\n')}`;
}

/** A chat without a key, as it stands on the screen in the end. */
function talk(store: string): string {
  const typed = TALK.map((line) => `sleep 2; printf '%s\\r' '${line}'`).join('; ');
  const command = `stty cols ${COLUMNS} rows 40; exec '${process.execPath}' '${path.resolve('bin/throughline.mjs')}'`;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    THROUGHLINE_STORE: store,
    TERM: 'xterm-256color',
    SHELL: '/bin/sh',
  };
  const shown = execFileSync('sh', ['-c', `(${typed}; sleep 3) | script -qec "$0" /dev/null`, command], {
    encoding: 'utf8',
    cwd: folder,
    env,
  });
  const esc = '\u001b';
  const moves = new RegExp(`${esc}\\[(?:\\?2004[hl]|\\d*[GJK])`, 'g');
  const lines = shown.replace(moves, '').replace(/\r+\n/g, '\n').split('\n');
  // A line that was drawn over shows what was drawn last.
  const seen = lines.map((line) => line.slice(line.lastIndexOf('\r') + 1)).flatMap(fold);
  return `${esc}[2m$${esc}[22m throughline\n${seen.join('\n')}`;
}

/** A terminal breaks a line at its edge; words are kept whole here, because a picture is for reading. */
function fold(line: string): string[] {
  if (stripVTControlCharacters(line).length <= COLUMNS) return [line];
  const words = line.split(' ');
  const lines = [''];
  for (const word of words) {
    const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`;
    if (stripVTControlCharacters(longer).length <= COLUMNS) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
