import { execFileSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlobRef, checkBody, ENTRY_KINDS, EntryId, isBlobRef, Seq } from '../src/record/index.ts';
import { createMemoryStore } from '../src/store/index.ts';
import { storeContract } from '../src/testing/index.ts';

const pages = globSync(['*.md', 'docs/**/*.md']);
const read = (page: string) => readFileSync(page, 'utf8');

/** The code blocks of one language, in order. */
function blocks(page: string, language: string): string[] {
  return [...read(page).matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code]) => code!);
}

const withoutCode = (page: string) => read(page).replace(/^```[\s\S]*?^```$/gm, '');

/** What a heading can be linked by, as code hosts make it. */
function anchors(page: string): string[] {
  const headings = [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, text]) => text!);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('every page', () => {
  it.each(pages)('%s has working links', (page) => {
    const links = [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const broken = links
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const target = file ? path.join(path.dirname(page), file) : page;
        return !existsSync(target) || (anchor !== undefined && !anchors(target).includes(anchor));
      });
    expect(broken).toEqual([]);
  });

  it.each(pages)('%s is finished', (page) => {
    expect(read(page)).not.toMatch(/\b(?:TODO|FIXME|TBD|XXX)\b/);
  });

  it('is short where it is read first', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
    expect(read('AGENTS.md').trim().split(/\s+/).length).toBeLessThanOrEqual(600);
  });
});

describe('docs/format.md', () => {
  const examples = blocks('docs/format.md', 'json').map((text) => JSON.parse(text));

  it.each(ENTRY_KINDS)('says what %s is, since when, and what older readers do', (kind) => {
    const [, section = ''] = read('docs/format.md').split(`\n### ${kind}\n`);
    const [text] = section.split(/\n##/);
    expect(text).toMatch(/\*\*Since\*\*/);
    expect(text).toMatch(/\*\*Older readers\*\*/);
    expect(examples.filter((example) => example.kind === kind)).not.toEqual([]);
  });

  it.each(examples)('has an example that can be written: %j', (example) => {
    if (isBlobRef(example)) return void BlobRef.parse(example);
    if (!('body' in example)) return void checkBody(example);
    expect([EntryId.parse(example.id), Seq.parse(example.seq)]).toEqual([example.id, example.seq]);
    checkBody(example.body);
  });
});

it('quotes only promises that the store contract makes', () => {
  const promises = storeContract(async () => createMemoryStore()).map(
    ({ group, name }) => `${group}: ${name}`,
  );
  const quoted = pages.flatMap((page) =>
    [...withoutCode(page).matchAll(/^> - (.+)$/gm)].map(([, line]) => line!),
  );
  expect(quoted.length).toBeGreaterThan(50);
  expect(quoted.filter((line) => !promises.includes(line))).toEqual([]);
});

it('every function and constant of the front door stands on a page or in an example', () => {
  const text = [...pages, ...globSync('examples/**/*.ts')].map(read).join('\n');
  const names = read('test/fixtures/exported-names.txt')
    .split('\n')
    .filter((line) => /^\w+$/.test(line));
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

it('the examples that shipped pages link to are shipped too', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] };
  const linked = globSync('docs/*.md').some((page) => read(page).includes('](../examples/'));
  expect([linked, files.includes('examples')]).toEqual([true, true]);
});

describe('the decisions', () => {
  const records = globSync('docs/decisions/0*.md').sort();
  const numberOf = (record: string) => Number(path.basename(record).slice(0, 4));
  const index = read('docs/decisions/README.md');

  it('have distinct numbers', () => {
    expect(new Set(records.map(numberOf)).size).toBe(records.length);
  });

  it.each(records)('%s has a question, a choice and a condition for changing it', (record) => {
    const headings = [...read(record).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['The question', 'What we chose', 'What would change our mind']);
    expect(read(record)).toMatch(new RegExp(`^# ${numberOf(record)}\\. \\p{Lu}`, 'u'));
  });

  it('stand in the index once, under their titles', () => {
    const lines = [...index.matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, title, file]) => `${file} ${title}`);
    const titles = records.map((record) => `${path.basename(record)} ${/^# (.+)$/m.exec(read(record))?.[1]}`);
    expect(lines.toSorted()).toEqual(titles);
  });

  it('are indexed by subject, in order of their numbers', () => {
    for (const section of index.split(/^## /m).slice(1)) {
      const numbers = [...section.matchAll(/^- \[(\d+)\./gm)].map(([, number]) => Number(number));
      expect(numbers.length).toBeGreaterThan(2);
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    }
  });
});

/** The TypeScript of such a page, from top to bottom, is a program: it compiles against what is built, and runs. */
const PROGRAMS = [
  'README.md',
  ...[
    'branches',
    'memory',
    'recall',
    'recall-in-context',
    'rpc',
    'runs',
    'sessions',
    'stores',
    'testing',
    'tokens',
    'work',
  ].map((name) => `docs/${name}.md`),
];

describe('the program on', () => {
  const fileOf = (page: string) => page.replaceAll(/[/.]/g, '-').replace(/-md$/, '.ts');
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'throughline-docs-'));
    const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
    const link = (name: string, target: string) =>
      symlinkSync(path.resolve(target), path.join(folder, 'node_modules', name), 'junction');
    mkdirSync(path.join(folder, 'node_modules/@types'), { recursive: true });
    link('throughline', '.');
    link('@types/node', 'node_modules/@types/node');
    link('zod', 'node_modules/zod');
    write('package.json', '{ "private": true, "type": "module" }');
    const compilerOptions = { paths: {} };
    write(
      'tsconfig.json',
      JSON.stringify({ extends: path.resolve('tsconfig.json'), compilerOptions, include: ['*.ts'] }),
    );
    for (const page of PROGRAMS) write(fileOf(page), blocks(page, 'ts').join('\n'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...words: string[]) =>
    execFileSync(process.execPath, words, {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...process.env, HOME: folder, THROUGHLINE_STORE: `${words[0]}.db` },
    });

  it('all pages compiles', () => {
    expect(run(path.resolve('node_modules/typescript/bin/tsc'), '-p', folder)).toBe('');
  });

  it.each(PROGRAMS)('%s runs', (page) => {
    expect(() => run(fileOf(page))).not.toThrow();
  });

  it('README.md runs again, in the store that is there by then', () => {
    for (let time = 0; time < 2; time++) expect(() => run(fileOf('README.md'))).not.toThrow();
  });
});
