import { expect, it } from 'vitest';
import { createSession } from '../../src/session/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { replyObject } from '../support/wire-script.ts';
import { startWireServer } from '../support/wire-server.ts';
import { obligingModel, SUMMARY } from './chat-model.ts';
import { createChatPlace } from './chat-place.ts';

interface Compacted {
  readonly summary: string;
  readonly retention: number;
  readonly by: { readonly kind: string };
}

it('a compaction on the command line adds the names and figures that a model left out, and says what it counts', async () => {
  using place = createChatPlace();
  const words = 'It was looked at for a while, and the team went through what could be seen there. '.repeat(
    6,
  );
  {
    await using store = await place.open();
    await using session = await createSession(store, { id: 's' });
    for (let n = 1; n <= 8; n++)
      await session.append([
        user(`Look at the next one. ${words}`),
        assistant(
          `There is \`worker_${n}\` beside \`queue_${n}\`, then \`store_${n}\` and \`cache_${n}\`. ${words}`,
        ),
      ]);
  }
  const forgetful = {
    ...SUMMARY,
    overview: 'Services were looked at.',
    topics: [],
    decisions: [],
    pending: [],
  };
  await using server = await startWireServer(
    'anthropic',
    obligingModel({ summary: () => replyObject(forgetful) }),
  );
  const args = ['compact', 's', '--keep', '2', '--model', server.reference];
  const done = await place.run([...args, '--json'], { env: server.env });
  const { summary, retention, by } = JSON.parse(done.stdout) as Compacted;
  expect(by.kind).toBe('model');
  expect(retention).toBeGreaterThanOrEqual(0.6);
  for (const item of ['worker_1', 'queue_4', 'store_7']) expect(summary).toContain(item);
  const listed = await place.run(['expand', 's']);
  expect(listed.stdout).toContain(
    `${Math.round(retention * 100)} % of the names, paths and figures are still in it`,
  );
});
