import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forkSession } from '../../../src/session/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { user } from '../../../src/testing/index.ts';
import { findOriginal, formatNamed, type HandoffAgent } from '../../../src/transcripts/index.ts';
import * as claude from '../formats/claude-code/lines.ts';
import * as codex from '../formats/codex/rollouts.ts';
import * as pi from '../formats/pi/records.ts';
import { importText } from '../transfer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'throughline-original-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const AGENTS: readonly [HandoffAgent, string, (id: string) => string][] = [
  ['claude-code', claude.ordinary(), (id) => `${id}.jsonl`],
  ['pi', pi.beside(), (id) => `2026-02-20T12-00-00-000Z_${id}.jsonl`],
  ['codex', codex.ordinary(), (id) => `2026/02/20/rollout-2026-02-20T14-00-00-${id}.jsonl`],
];

describe.each(AGENTS)('the original of a session that came from %s', (agent, text, named) => {
  async function imported() {
    const store = createMemoryStore();
    const [report] = await importText(store, await formatNamed(agent).reader(), text, { format: agent });
    const session = async (id = report!.id) => (await store.session(id))!;
    const find = async (id?: string) => findOriginal(store, await session(id), { agent, folder });
    return { store, session, find };
  }

  function put(id: string): string {
    const file = path.join(folder, named(id));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  it('is found where the agent keeps it', async () => {
    const { session, find } = await imported();
    expect(await find()).toBeUndefined();
    const file = put((await session()).id);
    expect(await find()).toEqual({ file });
  });

  it('keeps its name when the session was gone on with here: that one gets another each time', async () => {
    const { store, session, find } = await imported();
    const { id } = await session();
    const file = put(id);
    await store.append(id, [{ body: user('And here?') }]);
    const first = await find();
    expect(first).toEqual({ file, name: expect.stringMatching(/^[0-9a-f]{8}-/) });
    expect(await find()).toEqual(first);
    await store.append(id, [{ body: user('And now?') }]);
    expect((await find())!.name).not.toBe(first!.name);
  });

  it('keeps its name when the session was forked here', async () => {
    const { store, session, find } = await imported();
    const info = await session();
    put(info.id);
    const fork = await forkSession(store, info, { at: info.head - 1, id: 'fork_1' });
    expect((await find(fork.id))!.name).toBeDefined();
  });
});
