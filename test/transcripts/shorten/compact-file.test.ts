import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, openSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Summariser } from '../../../src/compaction/index.ts';
import { emptySummary } from '../../../src/record/index.ts';
import { compactFile, inspectFile, readSettings } from '../../../src/transcripts/shorten/index.ts';
import { contextOf, createFolder } from './folder.ts';
import { LONG_FILES, longPi } from './long-files.ts';

const SETTINGS = { maxLines: 30, keepTurns: 4 };

/** The lines from the fourth question before the end on. */
function recentPart(text: string, turns = 4): string {
  return text.slice(text.lastIndexOf('\n', text.indexOf(`"Question ${21 - turns}:`)) + 1);
}

const styles = ['own', 'pair'] as const;
const cases = Object.entries(LONG_FILES).flatMap(([name, one]) =>
  styles.map((style) => ({ name, style, ...one })),
);

describe.each(cases)('a file of $name, summary as $style', ({ format, text, style }) => {
  it('keeps headers, unknown lines and recent turns to the byte, and its original', async () => {
    using place = createFolder(text);
    const done = await compactFile(place.file, { ...SETTINGS, style, archive: place.archive });
    expect(done).toMatchObject({ outcome: 'shortened', format, by: { kind: 'digest' } });
    expect(place.originals.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([text]);
    const after = place.read();
    const recent = recentPart(text);
    expect(after.endsWith(recent)).toBe(true);
    const stays = text
      .split('\n')
      .filter((line) =>
        /"type":"(?:session|session_meta|model_change|thinking_level_change|turn_context|hologram|custom|summary)"/.test(
          line,
        ),
      );
    const lines = after.split('\n');
    let at = -1;
    for (const line of stays) {
      const next = lines.indexOf(line, at + 1);
      expect(next).toBeGreaterThan(at);
      at = next;
    }
    expect(after).not.toMatch(/"(?:call|toolu)_3"/);
    expect(done.bytesAfter).toBe(Buffer.byteLength(after));
    expect(done.linesAfter).toBe(lines.length - 1);
    expect(place.others()).toEqual([]);
  });

  it('is still a file of that program: a summary, then the recent turns as they were', async () => {
    using place = createFolder(text);
    await compactFile(place.file, { ...SETTINGS, style, archive: place.archive });
    const before = await contextOf(format, text);
    const after = await contextOf(format, place.read());
    expect(after.report).toMatchObject({ damage: 0, branches: 0 });
    const start = before.said.findIndex((one) => one.includes('Question 17:'));
    const recent = before.said.slice(start);
    expect(after.said.slice(-recent.length)).toEqual(recent);
    const summary = after.said.slice(0, -recent.length);
    const own =
      style === 'own'
        ? ['summary']
        : [expect.stringContaining('[Session Summary'), expect.stringContaining('Understood')];
    expect(summary).toEqual(own);
  });

  it('remembers in its summary what the old turns were about', async () => {
    using place = createFolder(text);
    const { summary } = await compactFile(place.file, { ...SETTINGS, style, archive: place.archive });
    expect(summary).toMatch(/price-\d+\.ts/);
  });

  it('is left alone the second time', async () => {
    using place = createFolder(text);
    await compactFile(place.file, { ...SETTINGS, style, archive: place.archive });
    const once = place.read();
    const again = await compactFile(place.file, { ...SETTINGS, maxLines: 5, style, archive: place.archive });
    expect(again).toMatchObject({ outcome: 'left', reason: 'few-turns' });
    expect(place.read()).toBe(once);
    expect(place.originals).toHaveLength(1);
  });
});

describe('compact-file', () => {
  it('reports the content of a file', async () => {
    using place = createFolder(longPi());
    expect((await inspectFile(place.file, SETTINGS)).analysis).toMatchObject({
      lines: 89,
      messages: 80,
      user: 20,
      assistant: 40,
      toolResults: 20,
      oldTurns: 16,
      recentTurns: 4,
      headerLines: 4,
      otherLines: 5,
      compactions: 0,
    });
    expect(place.read()).toBe(longPi());
  });

  it.each([
    ['as many lines as allowed', { maxLines: 89, keepTurns: 4 }, 'short'],
    ['one line more than allowed', { maxLines: 88, keepTurns: 4 }, undefined],
    ['more tokens than allowed', { maxLines: 1000, maxTokens: 500, keepTurns: 4 }, undefined],
    ['two old turns', { maxLines: 10, keepTurns: 18 }, 'few-turns'],
    ['three old turns', { maxLines: 10, keepTurns: 17 }, undefined],
    ['no turns to keep', { maxLines: 10, keepTurns: 0 }, undefined],
    ['it switched off', { enabled: false, maxLines: 10, keepTurns: 4 }, 'disabled'],
  ])('with %s: %o', async (_, settings, reason) => {
    using place = createFolder(longPi());
    const done = await compactFile(place.file, { ...settings, archive: place.archive });
    expect(done).toMatchObject(reason ? { outcome: 'left', reason } : { outcome: 'shortened' });
    if (reason) {
      expect(place.read()).toBe(longPi());
      expect(place.originals).toEqual([]);
    }
  });

  it('merges what an earlier summary said into the next one', async () => {
    using place = createFolder(longPi());
    await compactFile(place.file, { ...SETTINGS, style: 'pair', archive: place.archive });
    appendFileSync(
      place.file,
      longPi({ turns: 8 })
        .split('\n')
        .slice(3)
        .join('\n')
        .replace(/"(?:id|parentId)":"a0/g, (m) => m.replace('a0', 'b0'))
        .replaceAll('Question', 'Later question'),
    );
    const { summary, outcome } = await compactFile(place.file, {
      ...SETTINGS,
      style: 'pair',
      archive: place.archive,
    });
    expect(outcome).toBe('shortened');
    expect(summary).not.toContain('[Session Summary');
    expect(place.read().match(/\[Session Summary/g)).toHaveLength(1);
  });

  it('does not touch a file whose original could not be archived', async () => {
    using place = createFolder(longPi());
    const archive = async () => {
      throw new Error('the disk is full');
    };
    await expect(compactFile(place.file, { ...SETTINGS, archive })).rejects.toThrow('the disk is full');
    expect(place.read()).toBe(longPi());
    expect(place.others()).toEqual([]);
  });

  it.each<[string, Summariser['summarise']]>([
    ['fails', async () => Promise.reject(new Error('401 invalid key'))],
    ['says nothing', async () => ({ summary: emptySummary(''), by: { kind: 'model' } })],
    ['says too much', async () => ({ summary: emptySummary('x '.repeat(50_000)), by: { kind: 'model' } })],
    ['is cut off', async () => ({ summary: emptySummary('half a'), by: { kind: 'model' }, cutOff: true })],
  ])('is left alone when the summariser %s, unless the digest may do it', async (_, summarise) => {
    using place = createFolder(longPi());
    const summariser = { name: 'broken', summarise };
    const options = { ...SETTINGS, summariser, archive: place.archive };
    const left = await compactFile(place.file, options);
    expect(left).toMatchObject({ outcome: 'left', reason: 'model-failed' });
    expect([place.read(), place.originals]).toEqual([longPi(), []]);
    const done = await compactFile(place.file, { ...options, orDigest: true });
    expect(done).toMatchObject({ outcome: 'shortened', by: { kind: 'digest' } });
    for (const { failures } of [left, done]) expect(failures).not.toHaveLength(0);
    expect((await contextOf('pi', place.read())).said[0]).toBe('summary');
  });

  it('takes along lines that the program adds', async () => {
    const whole = longPi({ turns: 21 });
    const most = longPi({ turns: 20 });
    using place = createFolder(most);
    const archive = async (original: Parameters<typeof place.archive>[0]) => {
      appendFileSync(place.file, whole.slice(most.length));
      return place.archive(original);
    };
    await compactFile(place.file, { ...SETTINGS, archive });
    expect(place.read().endsWith(recentPart(most) + whole.slice(most.length))).toBe(true);
    expect((await contextOf('pi', place.read())).report).toMatchObject({ damage: 0, branches: 0 });
  });

  it('takes along lines added at the last moment', async () => {
    using place = createFolder(longPi());
    const onStep = (step: string) => {
      if (step === 'drafted') appendFileSync(place.file, '{"type":"late"}\n');
    };
    await compactFile(place.file, { ...SETTINGS, archive: place.archive, onStep });
    expect(place.read().endsWith('{"type":"late"}\n')).toBe(true);
  });

  it('starts the summary on a new line behind half a line', async () => {
    using place = createFolder(`${longPi()}{"type":"message","id":"torn`);
    await compactFile(place.file, { maxLines: 30, keepTurns: 0, archive: place.archive });
    const lines = place.read().split('\n');
    expect(lines).toContain('{"type":"message","id":"torn');
    expect((await contextOf('pi', place.read())).said[0]).toBe('summary');
  });

  it('gives up when another program rewrites the file', async () => {
    using place = createFolder(longPi());
    const archive = async (original: Parameters<typeof place.archive>[0]) => {
      writeFileSync(place.file, 'mine\n');
      return place.archive(original);
    };
    await expect(compactFile(place.file, { ...SETTINGS, archive })).rejects.toMatchObject({
      code: 'transcript-changed',
    });
    expect(place.read()).toBe('mine\n');
    expect(place.others()).toEqual([]);
  });

  it('leaves a file alone that another run is at', async () => {
    using place = createFolder(longPi());
    const runs = await Promise.allSettled(
      Array.from({ length: 4 }, () => compactFile(place.file, { ...SETTINGS, archive: place.archive })),
    );
    const done = runs.filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(1);
    for (const run of runs)
      if (run.status === 'rejected') expect(run.reason).toMatchObject({ code: 'transcript-busy' });
    expect((await contextOf('pi', place.read())).said[0]).toBe('summary');
    expect(place.others()).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')('leaves a file alone that a program has open', async () => {
    using place = createFolder(longPi());
    const fd = openSync(place.file, 'a');
    const child = spawn('sleep', ['60'], { stdio: ['ignore', fd, 'ignore'] });
    closeSync(fd);
    try {
      const attempt = compactFile(place.file, { ...SETTINGS, archive: place.archive });
      await expect(attempt).rejects.toMatchObject({
        code: 'transcript-busy',
        message: expect.stringContaining('sleep'),
      });
      expect(place.read()).toBe(longPi());
      expect(
        (await compactFile(place.file, { ...SETTINGS, archive: place.archive, evenIfOpen: true })).outcome,
      ).toBe('shortened');
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('is only for files that it knows', async () => {
    using place = createFolder('hello\n');
    await expect(compactFile(place.file, { archive: place.archive })).rejects.toMatchObject({
      code: 'transcript-unknown',
    });
  });

  it('reads its settings from the block that such repositories have', () => {
    const block = {
      enabled: true,
      maxSessionLines: 50,
      recentTurnsToKeep: 3,
      archiveBranch: 'kept',
      summaryModel: null,
    };
    const text = JSON.stringify({
      defaultProvider: 'anthropic',
      defaultModel: 'claude-opus-4-6',
      sessionManagement: block,
    });
    expect(readSettings(text, 'settings.json')).toEqual({
      enabled: true,
      maxLines: 50,
      keepTurns: 3,
      branch: 'kept',
      model: 'anthropic:claude-opus-4-6',
    });
    expect(readSettings('{"sessionManagement":{"enabled":false}}', 's')).toMatchObject({
      enabled: false,
      maxLines: 200,
      keepTurns: 10,
      branch: 'gitclaw-archive',
    });
    expect(readSettings('{}', 's')).toMatchObject({ enabled: true, maxLines: 200 });
    expect(() => readSettings('{"sessionManagement":{"maxSessionLines":"many"}}', 's.json')).toThrow(
      /s\.json/,
    );
  });
});
