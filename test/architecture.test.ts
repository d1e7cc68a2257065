import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Which doors each room may open, in building order: a room opens only doors of rooms above it in this table.
 * This table is the architecture; AGENTS.md draws it.
 */
const MAY_OPEN: Record<string, readonly string[]> = {
  record: [],
  secrets: [],
  tokens: ['record'],
  text: ['record'],
  store: ['record', 'tokens'],
  summary: ['record', 'tokens'],
  context: ['record', 'tokens', 'text', 'summary'],
  session: ['record', 'store'],
  models: ['record', 'tokens', 'text'],
  compaction: ['record', 'tokens', 'text', 'store', 'summary', 'context', 'session', 'models'],
  recall: ['record', 'tokens', 'text', 'store', 'session', 'models', 'compaction'],
  memory: ['record', 'tokens', 'text', 'store', 'summary', 'context', 'session', 'compaction', 'recall'],
  board: ['record', 'store', 'memory'],
  recollection: [
    'record',
    'tokens',
    'text',
    'store',
    'summary',
    'context',
    'session',
    'compaction',
    'recall',
    'memory',
  ],
  branches: ['record', 'store', 'summary', 'session', 'compaction'],
  run: ['record', 'tokens', 'text', 'store', 'context', 'session', 'models', 'compaction', 'memory'],
  agent: [
    'record',
    'tokens',
    'store',
    'context',
    'session',
    'models',
    'compaction',
    'recall',
    'memory',
    'board',
    'recollection',
    'run',
  ],
  transcripts: ['record', 'tokens', 'text', 'store', 'summary', 'session', 'secrets'],
  work: [
    'record',
    'tokens',
    'text',
    'store',
    'summary',
    'context',
    'session',
    'compaction',
    'memory',
    'board',
    'agent',
    'transcripts',
  ],
  archive: ['secrets'],
  scrub: ['record', 'store', 'session', 'secrets'],
  shorten: ['record', 'tokens', 'store', 'summary', 'session', 'compaction', 'transcripts', 'archive'],
  operations: [
    'record',
    'tokens',
    'text',
    'store',
    'summary',
    'context',
    'session',
    'models',
    'compaction',
    'recall',
    'recollection',
    'memory',
    'branches',
    'run',
    'agent',
    'transcripts',
    'work',
    'secrets',
    'archive',
    'scrub',
    'shorten',
  ],
  mcp: ['record', 'text', 'store', 'context', 'session', 'recall', 'recollection', 'memory', 'operations'],
  rpc: [
    'record',
    'tokens',
    'text',
    'store',
    'summary',
    'context',
    'session',
    'models',
    'compaction',
    'recall',
    'recollection',
    'memory',
    'branches',
    'run',
    'agent',
    'work',
    'operations',
  ],
  testing: ['record', 'tokens', 'store', 'session'],
  cli: [
    'record',
    'tokens',
    'text',
    'store',
    'summary',
    'context',
    'session',
    'models',
    'compaction',
    'recall',
    'recollection',
    'memory',
    'branches',
    'mcp',
    'rpc',
    'run',
    'agent',
    'transcripts',
    'work',
    'secrets',
    'archive',
    'scrub',
    'shorten',
    'operations',
  ],
};
const ROOMS = Object.keys(MAY_OPEN);
/** The names of the front door by topic: nothing in the house opens it but the door itself. */
const FRONT = 'exports';

/**
 * Doors inside a room that others may open too: a backend, or a family of operations, is loaded without the others; the reader of
 * parts and the amounts run in browsers, which the rest of their room does not.
 */
const SIDE_DOORS = [
  'store/sqlite/index.ts',
  ...['read-part', 'say-amount', 'say-fit', 'say-number', 'say-title'].map((file) => `text/${file}.ts`),
  ...globSync('operations/*/index.ts', { cwd: 'src' }),
];

/** The files that know parts of messages by their type, and why. All others ask `readPart` or `sayMessage` in text/. */
const KNOW_PART_TYPES: Record<string, readonly string[]> = {
  'the reader itself': ['text/read-part.ts'],
  'the shapes of the log and of a request': ['record/part-shapes.ts', 'context/context-message.ts'],
  'counting by shape': ['tokens/count-part.ts', 'context/count-context.ts'],
  'the parts of a request, sent and not shown': [
    'context/cut-answers.ts',
    'context/cut-messages.ts',
    'context/pair-tools.ts',
    'context/piece.ts',
    'context/provider-pairs.ts',
    'context/render-message.ts',
    'context/lay-torso.ts',
  ],
  'refusals of a provider': [
    'record/setting-values.ts',
    'models/find-culprit.ts',
    'run/request/find-refused.ts',
  ],
  'the parts that a turn writes': [
    'run/answer/collect-answer.ts',
    'run/close-turn.ts',
    'run/read-turn.ts',
    'run/tools/run-tools.ts',
  ],
  'the records of other programs': [
    'transcripts/chatgpt/messages.ts',
    'transcripts/claude-code/blocks.ts',
    'transcripts/claude-code/conversation.ts',
    'transcripts/claude-code/new-lines.ts',
    'transcripts/codex/items.ts',
    'transcripts/codex/line-kind.ts',
    'transcripts/codex/new-lines.ts',
    'transcripts/copilot/read.ts',
    'transcripts/gemini/messages.ts',
    'transcripts/opencode/parts.ts',
    'transcripts/pi/blocks.ts',
    'transcripts/pi/messages.ts',
    'transcripts/pi/new-records.ts',
  ],
  'messages for tests': ['testing/messages.ts', 'testing/store-contract/blobs.ts'],
};

/** What any room may stand on. */
const GROUND = ['ask-git.ts', 'check-options.ts', 'errors.ts', 'package-file.ts'];

/** Functions with one caller: every other file uses that caller, so that the decision around the call is made once. */
const ONE_OF_EACH: Record<string, { declared: string; home: string }> = {
  openRecall: { declared: 'recall/open-recall.ts', home: 'recall/open-search-index.ts' },
};

const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** What a source file imports from the house, as paths below src/. */
function importsOf(file: string): string[] {
  const source = readFileSync(path.join('src', file), 'utf8');
  return [...source.matchAll(IMPORT)].map(([, target]) => path.posix.join(path.posix.dirname(file), target!));
}

function filesIn(room: string): string[] {
  return globSync('**/*.{ts,tsx}', { cwd: path.join('src', room) }).map((file) =>
    path.posix.join(room, file),
  );
}

const roomOf = (file: string) => (file.includes('/') ? file.split('/')[0]! : undefined);

describe('the house', () => {
  it('has every room in the table, and nothing else', () => {
    const rooms = globSync('*/', { cwd: 'src' }).map((room) => room.replace(/\/$/, ''));
    expect(rooms.sort()).toEqual([...ROOMS, FRONT].sort());
  });

  it.each(Object.entries(MAY_OPEN))('%s opens only the doors it may', (room, doors) => {
    const allowed = [
      ...doors.map((door) => `${door}/index.ts`),
      ...SIDE_DOORS.filter((door) => doors.includes(roomOf(door)!)),
    ];
    const strays = filesIn(room).flatMap((file) =>
      importsOf(file)
        .filter((target) => roomOf(target) !== room && !GROUND.includes(target))
        .filter((target) => !allowed.includes(target))
        .map((target) => `${file} -> ${target}`),
    );
    expect(strays).toEqual([]);
  });

  it.each(Object.entries(MAY_OPEN))('%s stands on rooms built before it', (room, doors) => {
    expect(doors.filter((door) => ROOMS.indexOf(door) >= ROOMS.indexOf(room))).toEqual([]);
  });

  it.each(ROOMS.filter((room) => room !== 'cli'))('%s has a door', (room) => {
    expect(existsSync(`src/${room}/index.ts`)).toBe(true);
  });

  it('builds files one can read at a sitting', () => {
    const long = globSync('{src,web,test,bench,examples}/**/*.{ts,tsx,css}')
      .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
      .filter(({ text }) => !text.startsWith('// Printed by scripts/'))
      .map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > 300);
    expect(long).toEqual([]);
  });

  it.each(Object.entries(ONE_OF_EACH))('calls %s in one place', (called, { home, declared }) => {
    const callers = globSync('**/*.{ts,tsx}', { cwd: 'src' })
      .filter((file) => file !== declared)
      .filter((file) => readFileSync(path.join('src', file), 'utf8').includes(`${called}(`));
    expect(callers).toEqual([home]);
  });

  it('compares the targets of marks with entries in one place', () => {
    const compares = /'entry' in (\w+)\s*\?\s*\1\.entry ===/;
    const files = globSync('src/**/*.ts').filter((file) => compares.test(readFileSync(file, 'utf8')));
    expect(files).toEqual([]);
  });

  it('knows in one place that a head has moved', () => {
    const names = /isThroughlineError\(\w+, 'head-moved'\)/;
    const files = globSync('src/**/*.ts').filter((file) => names.test(readFileSync(file, 'utf8')));
    // The kit of store authors is written against the port alone.
    expect(files.filter((file) => !file.startsWith('src/testing/'))).toEqual(['src/store/guard-append.ts']);
  });

  it('has no attic: files are named after the question they answer', () => {
    const attic = /(?:^|\/)(?:utils?|helpers?|common|shared|misc|manager|types)(?:\/|\.ts)/;
    expect(globSync('src/**/*.{ts,tsx}').filter((file) => attic.test(file))).toEqual([]);
  });

  it('reads the parts of messages in one place', () => {
    const named = globSync('{src,web}/**/*.{ts,tsx}')
      .filter((file) => /'(?:tool-call|tool-result|reasoning)'/.test(readFileSync(file, 'utf8')))
      .map((file) => file.replace(/^src\//, ''));
    expect(named.sort()).toEqual(Object.values(KNOW_PART_TYPES).flat().sort());
  });
});
