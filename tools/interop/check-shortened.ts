// Lets other agents' own code open what we have shortened for them, and find what we have handed over.
// npm run test:interop
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { createMemoryStore } from '../../src/store/index.ts';
import {
  exportSession,
  type FormatName,
  formatNamed,
  type HandoffAgent,
  importSource,
  pathForAgent,
  placeForAgent,
  textSource,
} from '../../src/transcripts/index.ts';
import { compactFile } from '../../src/transcripts/shorten/index.ts';
import * as pi from '../../test/transcripts/formats/pi/records.ts';
import { longClaude, longPi } from '../../test/transcripts/shorten/long-files.ts';
import { LONG_OUTPUT, longTurnOfClaude, longTurnOfPi } from '../../test/transcripts/shorten/long-turns.ts';
import { build, steps } from '../../test/transcripts/shorten/random-tree.ts';
import { ours, saidByClaude, saidByPi, shortCommand } from './what-is-said.ts';

const home = mkdtempSync(path.join(tmpdir(), 'throughline-interop-'));
process.env.CLAUDE_CONFIG_DIR = path.join(home, 'claude');
process.env.PI_CODING_AGENT_DIR = path.join(home, 'pi');
const { SessionManager } = await import('@earendil-works/pi-coding-agent');
const sdk = await import('@anthropic-ai/claude-agent-sdk');

const PROJECT = '/home/sally/my.shop_2';
const TREES = 100;
/** So that the cut falls inside the turn, and so that the output of tools is left out. */
const LONG_TURNS = {
  'a turn of many steps': { steps: 60 },
  'a turn with long output': { steps: 20, output: LONG_OUTPUT },
};
const archive = async () =>
  ({ path: '', how: 'new', sha256: '', bytes: 0, secrets: 0, whole: true }) as const;

try {
  for (const style of ['own', 'pair'] as const) {
    for (const version of [1, 3]) await checkPi(`pi, version ${version}`, longPi({ version }), style);
    await checkPi('pi, a tree', pi.tree(), style);
    let shortened = 0;
    for (const some of fc.sample(steps, TREES)) if (await checkPi(undefined, build(some), style)) shortened++;
    console.log(`pi opens what was shortened, as ${style}: ${shortened} random trees`);
    await checkClaude('turns', longClaude(), style);
    for (const [name, turn] of Object.entries(LONG_TURNS)) {
      await checkPi(`pi, ${name}`, longTurnOfPi(turn).text(), style);
      await checkClaude(name, longTurnOfClaude(turn).text(), style);
    }
  }
  for (const agent of ['pi', 'claude-code'] as const) await checkHandoff(agent);
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function said(format: FormatName, file: string): Promise<string[]> {
  const store = createMemoryStore();
  const [report] = await importSource(store, textSource(readFileSync(file)), {
    format: formatNamed(format),
    file,
  });
  return ours(store, report!.id);
}

async function checkPi(name: string | undefined, text: string, style: 'own' | 'pair'): Promise<boolean> {
  const file = path.join(home, 'session.jsonl');
  writeFileSync(file, text);
  const { outcome } = await compactFile(file, { maxLines: 5, keepTurns: 2, style, archive });
  const mine = (await said('pi', file)).map(shortCommand);
  const manager = SessionManager.open(file);
  const theirs = saidByPi(manager.buildSessionContext().messages);
  assert.deepEqual(theirs, mine, `pi sees another context: ${name ?? text}`);
  if (name)
    console.log(`pi opens what was shortened, as ${style}: ${name} (${outcome}, ${theirs.length} pieces)`);
  return outcome === 'shortened';
}

async function checkClaude(name: string, text: string, style: 'own' | 'pair'): Promise<void> {
  const { folder } = placeForAgent('claude-code', { project: PROJECT });
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, '6f0d2a3e-0000-4000-8000-000000000001.jsonl');
  writeFileSync(file, text);
  const { outcome } = await compactFile(file, { maxLines: 5, keepTurns: 2, style, archive });
  assert.equal(outcome, 'shortened');
  const id = path.basename(file, '.jsonl');
  assert((await sdk.listSessions({ dir: PROJECT })).some(({ sessionId }) => sessionId === id));
  const theirs = saidByClaude(await sdk.getSessionMessages(id, { dir: PROJECT }));
  assert.deepEqual(theirs, await said('claude-code', file), `Claude's SDK reads something else, as ${style}`);
  console.log(`Claude's SDK reads what was shortened, as ${style}: ${name} (${theirs.length} pieces)`);
  rmSync(file);
}

async function checkHandoff(agent: HandoffAgent): Promise<void> {
  const store = createMemoryStore();
  const [report] = await importSource(store, textSource(pi.tree()), { format: formatNamed('pi'), file: 'x' });
  const { folder } = placeForAgent(agent, { project: PROJECT });
  let file = '';
  for await (const written of exportSession(store, (await store.session(report!.id))!, { format: agent })) {
    file = path.join(folder, pathForAgent(agent, written.file));
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, written.text);
  }
  const found =
    agent === 'pi'
      ? (await SessionManager.list(PROJECT)).map((one) => one.path)
      : (await sdk.listSessions({ dir: PROJECT })).map(({ sessionId }) =>
          path.join(folder, `${sessionId}.jsonl`),
        );
  assert(found.includes(file), `${agent} does not find ${file}: ${found.join(', ')}`);
  console.log(`${agent} finds what is handed over where it looks`);
}
