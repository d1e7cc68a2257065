// Sessions of every origin, for other agents to open.
import { createSession, forkSession } from '../../src/session/index.ts';
import type { Store } from '../../src/store/index.ts';
import { assistant, compaction, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { type FormatName, formatNamed, importSource, textSource } from '../../src/transcripts/index.ts';
import * as claude from '../../test/transcripts/formats/claude-code/lines.ts';
import * as codex from '../../test/transcripts/formats/codex/rollouts.ts';
import * as pi from '../../test/transcripts/formats/pi/records.ts';

export const PROJECT = '/home/sally/shop';

/** Sessions of every origin: ours, and those of each agent. */
export function sessions(): Record<string, (store: Store) => Promise<string>> {
  const imported = (format: FormatName, text: string) => async (store: Store) => {
    const [report] = await importSource(store, textSource(text), { format: formatNamed(format), file: 'x' });
    return report!.id;
  };
  /** A fork behind the first answer. */
  const forked = (format: FormatName, text: string) => async (store: Store) => {
    const info = (await store.session(await imported(format, text)(store)))!;
    const answer = (await store.read(info.id, { only: 'messages' })).find(
      ({ body }) =>
        body.kind === 'message' &&
        body.role === 'assistant' &&
        body.parts.every(({ type }) => type !== 'tool-call'),
    );
    return (await forkSession(store, info, { at: answer!.seq, id: `fork_${format}` })).id;
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
    'a fork of Claude Code, nothing said in it': forked('claude-code', claude.ordinary()),
    'a fork of pi, nothing said in it': forked('pi', pi.tree()),
    'Codex, a fork gone on with here': async (store) => {
      const id = await forked('codex', codex.ordinary())(store);
      await store.append(id, [{ body: user('Another way?') }, { body: assistant('Sure.') }]);
      return id;
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
