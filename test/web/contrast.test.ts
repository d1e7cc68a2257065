import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const tokens = new Map(
  [
    ...readFileSync('web/design/tokens.css', 'utf8').matchAll(
      /(--[\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g,
    ),
  ].map(([, name, light, dark]) => [name!, { light: light!, dark: dark! }]),
);

/** What is set in what: text needs 4.5 to 1; lines that tell a control from its ground need 3 to 1. */
const GROUNDS = ['--paper', '--surface', '--sidebar-ground', '--sunken', '--hover'];
const WASHES = ['--accent-wash', '--knot-wash', '--danger-wash', '--good-wash'];
const TEXT: readonly (readonly [string, readonly string[]])[] = [
  ['--ink', [...GROUNDS, ...WASHES]],
  ['--ink-soft', [...GROUNDS, ...WASHES]],
  ['--ink-faint', [...GROUNDS, '--accent-wash', '--knot-wash']],
  ['--accent', ['--paper', '--surface', '--sidebar-ground', '--hover', '--knot-wash', '--accent-wash']],
  ['--accent-ink', ['--accent']],
  ['--knot', ['--knot-wash', '--paper']],
  ['--danger', ['--danger-wash', '--surface', '--paper']],
  ['--good', ['--good-wash', '--surface']],
];
const LINES: readonly (readonly [string, readonly string[]])[] = [
  ['--line-strong', ['--paper', '--surface', '--sidebar-ground']],
  ['--accent', GROUNDS],
  ['--part-system', ['--sidebar-ground', '--sunken']],
  ['--part-tools', ['--sidebar-ground', '--sunken']],
  ['--part-memory', ['--sidebar-ground', '--sunken']],
  ['--part-messages', ['--sidebar-ground', '--sunken']],
  ['--part-recall', ['--sidebar-ground', '--sunken']],
];

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

function pairs(table: typeof TEXT) {
  return table.flatMap(([ink, grounds]) =>
    grounds.flatMap((ground) => (['light', 'dark'] as const).map((theme) => ({ ink, ground, theme }))),
  );
}

const measured = ({ ink, ground, theme }: { ink: string; ground: string; theme: 'light' | 'dark' }) =>
  contrast(tokens.get(ink)![theme], tokens.get(ground)![theme]);

describe('the colours', () => {
  it.each(pairs(TEXT))('$ink can be read on $ground in $theme', (pair) => {
    expect(measured(pair)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(pairs(LINES))('$ink is readable on $ground in $theme', (pair) => {
    expect(measured(pair)).toBeGreaterThanOrEqual(3);
  });
});
