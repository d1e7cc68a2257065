import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { countText } from '../src/tokens/index.ts';
import { interleave, median, type Row } from './measure.ts';

const WINDOW = 8000;
const ROUNDS = 7;
const MOST_WINDOWS = 60;

/** The sort of a text, by the path of its file: the first that fits. */
const SORTS: readonly (readonly [sort: string, file: RegExp])[] = [
  ['agent messages', /agent|transcripts/],
  ['code', /code|\.[cm]?[jt]sx?$|\.py$/],
  ['JSON', /\.jsonl?$/],
  ['Chinese, Japanese, Korean', /chinese|japanese|korean/],
  ['other scripts', /arabic|greek|hindi|russian|german|french/],
  ['emoji', /emoji/],
  ['English prose', /./],
];

/**
 * Speed beside o200k itself, and how far the estimate is off it for windows of 8,000 tokens of each sort of text.
 * Reads the fixtures and, if it is there, real text in `../shared/data`; other folders can be given.
 */
export async function benchTokens(folders: readonly string[] = defaultFolders()): Promise<Row[]> {
  const texts = readTexts(folders);
  texts.set('base64, hex, uuids', scrambled());
  return [...(await speed([...texts.values()].flat())), ...[...texts].map(accuracy)];
}

function defaultFolders(): string[] {
  return ['test/fixtures/tokens', '../shared/data'].filter((folder) => existsSync(folder));
}

function readTexts(folders: readonly string[]): Map<string, string[]> {
  const texts = new Map<string, string[]>(SORTS.map(([sort]) => [sort, []]));
  for (const folder of folders) {
    for (const file of globSync('**/*.{txt,md,json,jsonl,ts,js,py}', { cwd: folder }).sort()) {
      const [sort] = SORTS.find(([, pattern]) => pattern.test(path.join(folder, file)))!;
      const text = readFileSync(path.join(folder, file), 'utf8');
      texts.get(sort)!.push(sort === 'agent messages' ? stringsIn(text) : text);
    }
  }
  return texts;
}

/** What agents and tools said, out of whatever JSON a transcript wraps it in. */
function stringsIn(transcript: string): string {
  const found = new Set<string>();
  const visit = (value: unknown) => {
    if (typeof value === 'string' && value.length > 24) found.add(value);
    else if (typeof value === 'object' && value !== null)
      for (const field of Object.values(value)) visit(field);
  };
  for (const json of [transcript, ...transcript.split('\n')]) {
    try {
      visit(JSON.parse(json));
    } catch {
      // Not a line of JSON: plain transcripts are taken as they are, below.
    }
  }
  return found.size > 0 ? [...found].join('\n') : transcript;
}

function scrambled(): string[] {
  const bytes = Buffer.alloc(60_000);
  for (let i = 0, state = 1; i < bytes.length; i++) {
    state = Math.imul(state, 48_271) & 0x7fffffff;
    bytes[i] = state >>> 12;
  }
  const hex = bytes.toString('hex');
  return [bytes.toString('base64'), hex, hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/g, '$1-$2-$3-$4-$5\n')];
}

async function speed(texts: readonly string[]): Promise<Row[]> {
  const sample = texts.map((text) => text.slice(0, 100_000));
  const megabytes = sample.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
  const perSecond = (count: (text: string) => number) => () => {
    const start = performance.now();
    for (const text of sample) count(text);
    return (megabytes * 1000) / (performance.now() - start);
  };
  const figures = await interleave(
    [
      { name: 'ours', round: perSecond(countText) },
      { name: 'o200k', round: perSecond((text) => countTokens(text)) },
    ],
    ROUNDS,
  );
  const ours = median(figures.get('ours')!);
  const exact = median(figures.get('o200k')!);
  return [
    {
      work: 'estimate the tokens of a text, against gpt-tokenizer (o200k)',
      value: `${ours.toFixed(0)} MB/s / ${exact.toFixed(1)} MB/s = ${(ours / exact).toFixed(0)} ×`,
      target: '≥ 50 MB/s',
      met: ours >= 50,
    },
  ];
}

function accuracy([sort, texts]: readonly [string, readonly string[]]): Row {
  const errors = windowErrors(texts).sort((a, b) => a - b);
  const far = errors.map(Math.abs).sort((a, b) => a - b);
  const at = (list: readonly number[], share: number) =>
    list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? Number.NaN;
  const p95 = at(far, 0.95);
  const percent = (error: number) => `${error > 0 ? '+' : ''}${error.toFixed(1)} %`;
  return {
    work: `off o200k: ${sort}, ${errors.length} ${errors.length === 1 ? 'window' : 'windows'}`,
    value: `p50 ${percent(at(errors, 0.5))}, p95 of the distance ${p95.toFixed(1)} %, lowest ${percent(at(errors, 0))}`,
    target: 'p95 ≤ 10 %, lowest ≥ −5 %',
    met: p95 <= 10 && at(errors, 0) >= -5,
  };
}

/** In per cent. Texts that are shorter than a window share one. */
function windowErrors(texts: readonly string[]): number[] {
  const errors: number[] = [];
  let estimated = 0;
  let exact = 0;
  const close = () => {
    errors.push((estimated / exact - 1) * 100);
    estimated = exact = 0;
  };
  for (const text of texts) {
    for (let from = 0; from < text.length && errors.length < MOST_WINDOWS; from += WINDOW) {
      const piece = text.slice(from, from + WINDOW);
      estimated += countText(piece);
      exact += countTokens(piece);
      if (exact >= WINDOW) close();
    }
  }
  if (exact > WINDOW / 4 || errors.length === 0) close();
  return errors;
}
