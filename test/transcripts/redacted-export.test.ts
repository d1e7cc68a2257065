import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSession } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { createRedactor } from '../../src/text/secrets/index.ts';
import {
  exportSession,
  formatNamed,
  importSource,
  textSource,
  WRITABLE,
} from '../../src/transcripts/index.ts';
import { PLACES, planted } from '../text/secrets/planted.ts';

describe('an export without secrets', () => {
  it.each([...WRITABLE, 'html' as const])(
    'as %s has none of them, and the session keeps them',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(
          planted,
          fc.constantFrom(...Object.values(PLACES)),
          async ({ secret, core }, place) => {
            const store = createMemoryStore();
            await using session = await createSession(store, { id: 's', title: `About ${secret}` });
            await session.append([
              user(place(secret)),
              toolCall('sh', { command: `echo ${secret}`, nested: { said: place(secret) } }, { id: '1' }),
              toolResult('sh', { output: place(secret) }, { id: '1' }),
              assistant(`It is ${secret}.`),
            ]);
            const redactor = createRedactor();
            let text = '';
            const options = { format, tools: true, redact: (one: string) => redactor.text(one) };
            for await (const piece of exportSession(store, session.info, options))
              text += `${piece.file}\n${piece.text}`;
            expect(text).not.toContain(core);
            expect(JSON.stringify(await store.read('s'))).toContain(core);
          },
        ),
        { numRuns: 15 },
      );
    },
  );

  it('has none in attached files, nor in fields of tools that are called like our own', async () => {
    const secret = `ghp_${'Ab1'.repeat(12)}`;
    const store = createMemoryStore();
    await using session = await createSession(store, { id: 's' });
    const data = Buffer.from(`the token is ${secret}`).toString('base64');
    await session.append([
      user([{ type: 'file', mediaType: 'text/plain', data }]),
      toolCall('login', { id: secret, status: secret }, { id: '1' }),
    ]);
    const redactor = createRedactor();
    let text = '';
    const options = { format: 'throughline', redact: (one: string) => redactor.text(one) } as const;
    for await (const piece of exportSession(store, session.info, options)) text += piece.text;
    expect(text).toContain('"file"');
    expect(text).not.toContain(secret);
    expect(text).not.toContain(data);
  });

  it('in our own format is whole: reading returns the written session', async () => {
    const store = createMemoryStore();
    await using session = await createSession(store, { id: 's' });
    await session.append([user(`Use ghp_${'Ab1'.repeat(12)}.`), assistant('Done.')]);
    const redactor = createRedactor();
    let text = '';
    const options = { format: 'throughline', redact: (one: string) => redactor.text(one) } as const;
    for await (const piece of exportSession(store, session.info, options)) text += piece.text;
    const [report] = await importSource(createMemoryStore(), textSource(text), {
      format: formatNamed('throughline'),
      file: 'x',
    });
    expect(report).toMatchObject({ messages: 2, damage: 0 });
  });
});
