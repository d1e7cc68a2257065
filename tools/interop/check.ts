// Opens what we write for other agents with those agents' own code, and compares what they would go on with.
// npm run test:interop
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSession, forkSession } from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { assistant, compaction, toolCall, toolResult, user } from '../../src/testing/index.ts';
import {
  exportSession,
  type FormatName,
  formatNamed,
  importSource,
  textSource,
} from '../../src/transcripts/index.ts';
import * as claude from '../../test/transcripts/claude-code/lines.ts';
import * as codex from '../../test/transcripts/codex/rollouts.ts';
import * as pi from '../../test/transcripts/pi/records.ts';
import { ours, saidByClaude, saidByPi, shortCommand } from './what-is-said.ts';

const home = mkdtempSync(path.join(tmpdir(), 'throughline-interop-'));
process.env.CLAUDE_CONFIG_DIR = home;
const { SessionManager } = await import('@earendil-works/pi-coding-agent');
const sdk = await import('@anthropic-ai/claude-agent-sdk');

const PROJECT = '/home/sally/shop';
const CLAUDE_PROJECT = path.join(home, 'projects', PROJECT.replaceAll('/', '-'));

try {
  for (const [name, make] of Object.entries(sessions())) {
    const store = createMemoryStore();
    const id = await make(store);
    await checkPi(name, store, id);
    await checkClaude(name, store, id);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Sessions of every origin: ours, and those of each agent. */
function sessions(): Record<string, (store: Store) => Promise<string>> {
  const imported = (format: FormatName, text: string) => async (store: Store) => {
    const [report] = await importSource(store, textSource(text), { format: formatNamed(format), file: 'x' });
    return report!.id;
  };
  return {
    ours: async (store) => {
      await using session = await createSession(store, { id: 'ours_1', title: 'Cart', project: PROJECT });
      await session.append([
        user('Where?'),
        toolCall('grep', { pattern: 'x' }, { id: 'call|1' }),
        toolResult('grep', { hits: 2 }, { id: 'call|1' }),
        assistant('In cart.ts.', { model: 'anthropic:claude-opus-4-5' }),
        user('Like this?'),
        assistant('Yes.'),
      ]);
      const { head } = session.info;
      await session.append([
        compaction({ covers: { from: 1, to: head - 2 }, summary: 'The cart was looked at.' }),
      ]);
      await session.append([user('Go on.'), assistant('Gone.')]);
      return session.id;
    },
    'a fork of ours': async (store) => {
      await using session = await createSession(store, { id: 'ours_2', project: PROJECT });
      await session.append([user('One?'), assistant('Two.'), user('Three?'), assistant('Four.')]);
      const fork = await forkSession(store, session.info, { at: 3, id: 'ours_3' });
      await store.append(fork.id, [{ body: user('Another way?') }, { body: assistant('Sure.') }]);
      return fork.id;
    },
    'Claude Code': imported('claude-code', claude.ordinary()),
    'Claude Code, gone on with here': async (store) => {
      const id = await imported('claude-code', claude.compacted())(store);
      await store.append(id, [{ body: user('And now?') }, { body: assistant('Nothing.') }]);
      return id;
    },
    'Claude Code, compacted': imported('claude-code', claude.compacted()),
    'Claude Code, branched': imported('claude-code', claude.branched()),
    'pi, version 1': imported('pi', pi.first()),
    'pi, version 1, compacted here': async (store) => {
      const id = await imported('pi', pi.first())(store);
      const { head } = (await store.session(id))!;
      await store.append(id, [
        { body: compaction({ covers: { from: 1, to: head - 1 }, summary: 'Files were listed.' }) },
        { body: user('More?') },
        { body: assistant('No.') },
      ]);
      return id;
    },
    'pi, a tree': imported('pi', pi.tree()),
    Codex: imported('codex', codex.ordinary()),
    'Codex, compacted': imported('codex', codex.compacted()),
    'Codex, rolled back': imported('codex', codex.rolledBack()),
  };
}

async function put(store: Store, id: string, format: FormatName, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  let file = '';
  for await (const written of exportSession(store, (await store.session(id))!, { format })) {
    file = path.join(folder, written.file);
    appendFileSync(file, written.text);
  }
  return file;
}

async function checkPi(name: string, store: Store, id: string): Promise<void> {
  const file = await put(store, id, 'pi', path.join(home, 'pi', name));
  const manager = SessionManager.open(file);
  const theirs = saidByPi(manager.buildSessionContext().messages);
  const mine = (await ours(store, id)).map(shortCommand);
  assert.deepEqual(theirs, mine, `pi sees another context: ${name}`);
  manager.appendMessage({
    role: 'user',
    content: [{ type: 'text', text: 'from pi' }],
    timestamp: Date.now(),
  });
  manager.appendMessage({
    role: 'assistant',
    content: [{ type: 'text', text: 'going on' }],
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude-opus-4-5',
    usage: {
      input: 1,
      output: 1,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 2,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: 'stop',
    timestamp: Date.now(),
  });
  const back = createMemoryStore();
  const [report] = await importSource(back, textSource(readFileSync(file)), {
    format: formatNamed('pi'),
    file,
  });
  assert.deepEqual((await ours(back, report!.id)).slice(-2), ['user: from pi', 'assistant: going on']);
  console.log(`pi opens, goes on with and hands back: ${name} (${theirs.length} pieces)`);
}

async function checkClaude(name: string, store: Store, id: string): Promise<void> {
  const file = await put(store, id, 'claude-code', CLAUDE_PROJECT);
  const sessionId = path.basename(file, '.jsonl');
  const listed = await sdk.listSessions({ dir: PROJECT });
  assert(
    listed.some((one) => one.sessionId === sessionId),
    `Claude's SDK does not list ${name}`,
  );
  const messages = await sdk.getSessionMessages(sessionId, { dir: PROJECT });
  const theirs = saidByClaude(messages);
  // It shows lines in the order of the file, where a call may stand behind the result of the one before it.
  assert.deepEqual(
    theirs.toSorted(),
    (await ours(store, id)).toSorted(),
    `Claude's SDK reads another conversation: ${name}`,
  );
  rmSync(file);
  console.log(`Claude's SDK lists and reads: ${name} (${theirs.length} pieces)`);
}
