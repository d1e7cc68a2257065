import { expect, it } from 'vitest';
import { newFirst } from '../../../src/search/recall/new-first.ts';

const order = (...texts: string[]) =>
  newFirst(texts.map((snippet) => ({ snippet }))).map(({ snippet }) => snippet);

it('puts hits whose words stand in better ones behind hits with new words', () => {
  expect(
    order(
      'The exporter writes Parquet files to the bucket.',
      'Parquet files, then.',
      'Thanks!',
      'The bucket is emptied every Sunday.',
    ),
  ).toEqual([
    'The exporter writes Parquet files to the bucket.',
    'The bucket is emptied every Sunday.',
    'Parquet files, then.',
    'Thanks!',
  ]);
});

it('keeps the best hit first, whatever it says, and loses none', () => {
  expect(order('Thanks!', 'Thanks!', 'Redis')).toEqual(['Thanks!', 'Redis', 'Thanks!']);
});

it('takes a sentence of a script without spaces as new where its names are', () => {
  const texts = [
    '検証用のマシンは青鷺です。',
    '倉庫はリューベックにあります。',
    '夜間処理は02:40に動きます。',
  ];
  expect(order(...texts)).toEqual(texts);
});
