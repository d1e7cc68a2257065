import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSession } from '../src/index.ts';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { compaction, summaryOf } from '../src/testing/index.ts';
import { format, interleave, median, type Row, ratioRow } from './measure.ts';
import { messageAt } from './messages.ts';
import { openRawLog } from './raw-log.ts';

const KEPT = 30;

/** Going on with a compacted session in a fresh process: its summary and the last thirty messages. */
export async function benchReopen(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-bench-'));
  try {
    const sizes = [1_000, 100_000] as const;
    for (const size of sizes) await build(folder, size);
    const memory: number[] = [];
    const figures = await interleave(
      sizes.flatMap((size) => [
        { name: `raw ${size}`, round: () => child('raw', path.join(folder, `raw-${size}.db`), size + 1).ms },
        {
          name: `ours ${size}`,
          round: () => {
            const { ms, entries, rss } = child('ours', path.join(folder, `${size}.db`), 0);
            if (entries !== KEPT + 1) throw new Error(`bug: ${entries} entries on the frontier`);
            if (size === 100_000) memory.push(rss);
            return ms;
          },
        },
      ]),
      9,
    );
    const at = (name: string) => median(figures.get(name)!);
    const grown = median(memory);
    return [
      ratioRow('reopen in a fresh process, 1,000 messages', {
        ours: at('ours 1000'),
        raw: at('raw 1000'),
        most: 3,
      }),
      ratioRow('… 100,000 messages', { ours: at('ours 100000'), raw: at('raw 100000'), most: 3 }),
      ratioRow('… 100,000 messages, against its own time at 1,000', {
        ours: at('ours 100000'),
        raw: at('ours 1000'),
        most: 1.5,
      }),
      {
        work: '… memory grown, 100,000 messages',
        value: `${format(grown)} MB`,
        target: '≤ 20 MB',
        met: grown <= 20,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function child(
  kind: 'raw' | 'ours',
  file: string,
  position: number,
): { ms: number; entries: number; rss: number } {
  const script = path.join(import.meta.dirname, 'reopen-child.ts');
  return JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', script, kind, file, String(position)], {
      encoding: 'utf8',
    }),
  );
}

async function build(folder: string, size: number): Promise<void> {
  const raw = openRawLog(path.join(folder, `raw-${size}.db`), 'normal');
  await using store = await openSqliteStore(path.join(folder, `${size}.db`), { durability: 'normal' });
  await using session = await createSession(store, { id: 'long' });
  raw.db.exec('begin');
  for (let i = 0; i < size; i += 500) {
    const messages = Array.from({ length: Math.min(500, size - i) }, (_, n) => messageAt(i + n));
    await session.append(messages);
    for (const message of messages) raw.append(JSON.stringify(message));
  }
  const summary = compaction({
    covers: { from: 1, to: size - KEPT },
    summary: summaryOf('What was said before.'),
  });
  await session.append([summary]);
  raw.append(JSON.stringify(summary));
  raw.db.exec('commit');
  raw.close();
}
