import { expect, it } from 'vitest';
import { sayLeftOut } from '../../../../src/faces/cli/render/render-import.ts';

it.each([
  [{ agentPath: 1 }, 'Left out: 1 setting (agentPath), because it acts on this machine.'],
  [{ agentPath: 2 }, 'Left out: 2 settings (agentPath ×2), because they act on this machine.'],
])('settings that were left out are counted in a whole sentence: %j', (settingsLeftOut, sentence) => {
  const [line] = sayLeftOut([{ settingsLeftOut } as never], {});
  expect(line!.startsWith(sentence)).toBe(true);
});
