import { expect, it } from 'vitest';
import { expectAnyWordFound, expectQuotesEqualScan, expectWordsCoverScan } from './index-equals-scan.ts';

it('finds in quotes what a reader of every message would find, and nothing else', async () => {
  await expect(expectQuotesEqualScan(150)).resolves.toBeUndefined();
});

it('finds without quotes every message that holds the word', async () => {
  await expect(expectWordsCoverScan(150)).resolves.toBeUndefined();
});

it('finds any word of any script in quotes', async () => {
  await expect(expectAnyWordFound(150)).resolves.toBeUndefined();
});
