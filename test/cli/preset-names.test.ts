import { expect, it } from 'vitest';
import { PRESET_NAMES } from '../../src/cli/preset-names.ts';
import { PRESETS } from '../../src/compaction/index.ts';

it('offers every preset that there is', () => {
  expect(PRESET_NAMES).toEqual(Object.keys(PRESETS));
});
