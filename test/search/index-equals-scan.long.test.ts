import { expect, it } from 'vitest';
import { expectAnyWordFound, expectQuotesEqualScan, expectWordsCoverScan } from './index-equals-scan.ts';

it('finds in quotes what a reader of every message would find, in 4,000 logs', async () => {
  await expect(expectQuotesEqualScan(4_000)).resolves.toBeUndefined();
});

it('finds without quotes every message that holds the word, in 4,000 logs', async () => {
  await expect(expectWordsCoverScan(4_000)).resolves.toBeUndefined();
});

it('finds any word of any script in quotes, 4,000 times', async () => {
  await expect(expectAnyWordFound(4_000)).resolves.toBeUndefined();
});
