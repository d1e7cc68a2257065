import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * The levels of the house, lowest first, each with its modules in building order, and with the doors that a module opens: those of
 * modules before it. This table is the architecture; README.md and AGENTS.md show its drawing.
 */
const LEVELS: Record<string, Record<string, readonly string[]>> = {
  record: {
    record: [],
  },
  words: {
    tokens: ['record'],
    text: ['record', 'tokens'],
    summary: ['record', 'tokens'],
  },
  ground: {
    store: ['record', 'tokens'],
    context: ['record', 'tokens', 'text', 'summary'],
    models: ['record', 'tokens', 'text'],
  },
  sessions: {
    session: ['record', 'store'],
  },
  knowledge: {
    compaction: ['record', 'tokens', 'text', 'summary', 'store', 'models', 'session'],
    branches: ['record', 'summary', 'store', 'session', 'compaction'],
    project: ['record', 'tokens', 'summary', 'store', 'context', 'compaction'],
    search: ['record', 'tokens', 'text', 'summary', 'store', 'context', 'models', 'session', 'project'],
  },
  features: {
    agent: [
      'record',
      'tokens',
      'text',
      'store',
      'context',
      'models',
      'session',
      'compaction',
      'project',
      'search',
    ],
    transcripts: ['record', 'tokens', 'text', 'summary', 'store', 'session', 'compaction'],
    work: [
      'record',
      'tokens',
      'text',
      'summary',
      'store',
      'context',
      'session',
      'compaction',
      'project',
      'agent',
      'transcripts',
    ],
    testing: ['record', 'tokens', 'store'],
  },
  operations: {
    operations: [
      'record',
      'tokens',
      'text',
      'summary',
      'store',
      'context',
      'models',
      'session',
      'compaction',
      'branches',
      'project',
      'search',
      'agent',
      'transcripts',
      'work',
    ],
  },
  faces: {
    faces: [
      'record',
      'tokens',
      'text',
      'summary',
      'store',
      'context',
      'models',
      'session',
      'compaction',
      'branches',
      'project',
      'search',
      'agent',
      'transcripts',
      'work',
      'operations',
    ],
  },
};
const MAY_OPEN = Object.assign({}, ...Object.values(LEVELS)) as Record<string, readonly string[]>;
const ROOMS = Object.keys(MAY_OPEN);
/** Drawn beside the modules: files at the root, and the faces one by one. */
const DRAWN: Record<string, readonly string[]> = {
  record: ['record', 'errors.ts'],
  faces: ['cli', 'rpc', 'mcp', 'library', 'index.ts'],
};
/** The table as README.md and AGENTS.md show it, highest level first. */
const DRAWING = Object.entries(LEVELS)
  .toReversed()
  .map(([level, modules]) => `  ${level.padEnd(14)}${(DRAWN[level] ?? Object.keys(modules)).join('   ')}`)
  .join('\n');

/**
 * Doors inside a room that others may open too: a backend, or a family of operations, is loaded without the others; the reader of
 * parts and the amounts run in browsers, which the rest of their room does not.
 */
const SIDE_DOORS = [
  'store/sqlite/index.ts',
  'text/secrets/index.ts',
  ...['archive', 'scrub', 'shorten'].map((family) => `transcripts/${family}/index.ts`),
  ...['read-part', 'say-amount', 'say-fit', 'say-number', 'say-title'].map((file) => `text/${file}.ts`),
  ...globSync('operations/*/index.ts', { cwd: 'src' }),
];

/** The files that know parts of messages by their type, and why. All others ask `readPart` or `sayMessage` in text/. */
const KNOW_PART_TYPES: Record<string, readonly string[]> = {
  'the reader itself': ['text/read-part.ts'],
  'the shapes of the log and of a request': ['context/context-message.ts', 'record/part-shapes.ts'],
  'counting by shape': ['context/count-context.ts', 'tokens/count-part.ts'],
  'the parts of a request, sent and not shown': [
    'context/fit/cut-answers.ts',
    'context/fit/cut-messages.ts',
    'context/layout-messages.ts',
    'context/piece.ts',
    'context/render/pair-tools.ts',
    'context/render/render-message.ts',
  ],
  'refusals of a provider': [
    'agent/request/find-refused.ts',
    'models/find-culprit.ts',
    'record/setting-values.ts',
  ],
  'the parts that a turn writes': [
    'agent/answer/collect-answer.ts',
    'agent/close-turn.ts',
    'agent/read-turn.ts',
    'agent/tools/run-tools.ts',
  ],
  'the records of other programs': [
    'transcripts/formats/chatgpt/messages.ts',
    'transcripts/formats/claude-code/blocks.ts',
    'transcripts/formats/claude-code/conversation.ts',
    'transcripts/formats/claude-code/new-lines.ts',
    'transcripts/formats/codex/items.ts',
    'transcripts/formats/codex/line-kind.ts',
    'transcripts/formats/codex/new-lines.ts',
    'transcripts/formats/copilot/read.ts',
    'transcripts/formats/gemini/messages.ts',
    'transcripts/formats/opencode/read.ts',
    'transcripts/formats/pi/blocks.ts',
    'transcripts/formats/pi/messages.ts',
    'transcripts/formats/pi/new-records.ts',
  ],
  'messages for tests': ['testing/messages.ts', 'testing/store-contract/blobs.ts'],
};

/** What any room may stand on. */
const GROUND = ['errors.ts'];

/** Functions with one caller: every other file uses that caller, so that the decision around the call is made once. */
const ONE_OF_EACH: Record<string, { declared: string; home: string }> = {
  openRecall: { declared: 'search/open-recall.ts', home: 'search/open-search-index.ts' },
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
    expect(rooms.sort()).toEqual(ROOMS.toSorted());
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

  it.each(ROOMS.filter((room) => room !== 'faces'))('%s has a door', (room) => {
    expect(existsSync(`src/${room}/index.ts`)).toBe(true);
  });

  it.each(['README.md', 'AGENTS.md'])('is drawn in %s as it is', (page) => {
    expect(readFileSync(page, 'utf8')).toContain(`\n\`\`\`\n${DRAWING}\n\`\`\`\n`);
  });

  it('has at most twenty modules', () => {
    expect(ROOMS.length).toBeLessThanOrEqual(20);
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
    expect(named.sort()).toEqual([...new Set(Object.values(KNOW_PART_TYPES).flat())].sort());
  });
});
