// Opens what we write for other agents with those agents' own code, and compares what they would go on with.
// npm run test:interop
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import {
  exportSession,
  type FormatName,
  formatNamed,
  importSource,
  textSource,
} from '../../src/transcripts/index.ts';
import { PROJECT, sessions } from './sessions.ts';
import { ours, saidByClaude, saidByPi, shortCommand } from './what-is-said.ts';

const home = mkdtempSync(path.join(tmpdir(), 'throughline-interop-'));
process.env.CLAUDE_CONFIG_DIR = home;
const { SessionManager } = await import('@earendil-works/pi-coding-agent');
const sdk = await import('@anthropic-ai/claude-agent-sdk');

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
