import { expect, it } from 'vitest';
import { PRESETS } from '../../../src/compaction/index.ts';
import { PRESET_NAMES } from '../../../src/operations/config/index.ts';

it('offers every preset that there is', () => {
  expect(PRESET_NAMES).toEqual(Object.keys(PRESETS));
});
