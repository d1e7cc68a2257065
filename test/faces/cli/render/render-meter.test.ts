import { describe, expect, it, vi } from 'vitest';
import { buildContext, type LeftOut } from '../../../../src/context/index.ts';
import { renderMeter } from '../../../../src/faces/cli/render/render-meter.ts';
import { logOf, user } from '../../../../src/testing/index.ts';
import { stateOf } from '../../../context/states.ts';

function said(...leftOut: LeftOut[]): string[] {
  const built = buildContext(stateOf(logOf(user('Hi'))), { window: 4_000 });
  return renderMeter({ ...built, leftOut }, { messages: false }).filter((line) =>
    line.startsWith('Left out'),
  );
}

describe('what the meter says was left out', () => {
  it('is counted in messages where messages are counted', () => {
    expect(
      said(
        { what: 'turns', entries: 116, tokens: 900, reason: 'summarised to fit' },
        { what: 'large values', entries: 1, tokens: 50, reason: 'sent as a preview' },
        { what: 'summaries', entries: 1, tokens: 40, reason: 'shortened to fit' },
        { what: 'entries', entries: 1, tokens: 7, reason: 'excluded' },
      ),
    ).toEqual([
      'Left out: 116 messages of old turns, 900 tokens: summarised to fit.',
      'Left out: 1 message with large values, 50 tokens: sent as a preview.',
      'Left out: 1 summary, 40 tokens: shortened to fit.',
      'Left out: 1 entry, 7 tokens: excluded.',
    ]);
  });

  it('is nothing where nothing was, and has no size where none is known', () => {
    expect(
      said(
        { what: 'summaries', entries: 0, tokens: 300, reason: 'merged to fit' },
        { what: 'recalled', entries: 2, tokens: 0, reason: 'over the budget' },
      ),
    ).toEqual(['Left out: 2 messages that were recalled: over the budget.']);
  });
});

it.each([34, 48, 100])('the meter fits a screen of %i columns', (columns) => {
  vi.stubEnv('COLUMNS', String(columns));
  try {
    const built = buildContext(stateOf(logOf(user('Hi'))), { window: 1_000_000 });
    const lines = renderMeter(built, { messages: false });
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});
