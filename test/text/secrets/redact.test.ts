import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, findSecrets, putBack, redactBytes } from '../../../src/text/secrets/index.ts';
import { FORMS, PLACES, planted } from './planted.ts';

const line = (text: string) =>
  `${JSON.stringify({ type: 'message', message: { role: 'user', content: text } })}\n`;

describe('secrets', () => {
  it('knows more than thirty forms of them', () => {
    expect(Object.keys(FORMS).length).toBeGreaterThan(30);
  });

  it.each(Object.entries(PLACES))('are taken out %s, and JSON stays JSON', async (_, place) => {
    await fc.assert(
      fc.asyncProperty(planted, async ({ secret, core }) => {
        const text = line(place(secret));
        const redacted = await redactBytes(Buffer.from(text));
        expect(redacted.bytes.toString('latin1')).not.toContain(core);
        expect(() => JSON.parse(redacted.bytes.toString('utf8'))).not.toThrow();
        expect(putBack(redacted.bytes, redacted.secrets).toString('utf8')).toBe(text);
      }),
      { numRuns: 120 },
    );
  });

  it.each(Object.keys(FORMS))('of the form "%s" are found wherever they stand', async (form) => {
    const [length, alphabet, make] = FORMS[form]!;
    const core = Array.from({ length }, (_, at) => alphabet[(at * 7 + 3) % alphabet.length]).join('');
    for (const place of Object.values(PLACES)) {
      const { bytes } = await redactBytes(Buffer.from(line(place(make(core)))));
      expect(bytes.toString('utf8')).not.toContain(core.slice(-12));
    }
  });

  it('have the same name wherever they stand, and nothing of them is in it', async () => {
    const redactor = createRedactor();
    const secret = `ghp_${'Ab1'.repeat(12)}`;
    expect(await redactor.text(`first ${secret}`)).toBe('first [secret-1 github]');
    expect(await redactor.text(`then npm_${'Cd2'.repeat(12)} and ${secret}`)).toBe(
      'then [secret-2 npm] and [secret-1 github]',
    );
    expect(redactor.count).toBe(2);
  });

  it('give any bytes back to the byte, also those that are no text', async () => {
    const mixed = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc.string({ unit: 'binary', maxLength: 40 }).map((text) => Buffer.from(text)),
        planted.map(({ secret }) => Buffer.from(` ${secret} `)),
        fc.constant(Buffer.from('[secret-1 github]\n')),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(mixed, async (pieces) => {
        const bytes = Buffer.concat(pieces);
        const redacted = await redactBytes(bytes);
        expect(putBack(redacted.bytes, redacted.secrets).equals(bytes)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('are found at the seam of a large file, keys on several lines too', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${`${'Qx7'.repeat(21)}\n`.repeat(20)}-----END PRIVATE KEY-----\n`;
    for (const before of [-600, -40, -10, 0, 10]) {
      const text =
        `${'x'.repeat(99)}\n`
          .repeat(20_000)
          .slice(0, (1 << 20) + before)
          .replace(/.$/, '\n') + key;
      const { bytes, secrets } = await redactBytes(Buffer.from(text));
      expect(bytes.toString('utf8')).not.toContain('Qx7Qx7Qx7');
      expect(putBack(bytes, secrets).toString('utf8')).toBe(text);
    }
  });

  it('are looked for once in a short text that comes again, and leave nothing in the process', async () => {
    const asked: string[] = [];
    const before = performance.getEntries().length;
    const redactor = createRedactor({
      find: (text) => {
        asked.push(text);
        return findSecrets(text);
      },
    });
    for (const text of ['toolName', 'toolName', 'an id', 'toolName', 'an id']) await redactor.text(text);
    expect(asked).toEqual(['toolName', 'an id']);
    expect(performance.getEntries().length).toBe(before);
  });

  it('are not switched off by a comment for the scanner', async () => {
    const secret = `ghp_${'Ab1'.repeat(12)}`;
    const text = `/* secretlint-disable */ ${secret} // secretlint-disable-line\n`;
    expect((await redactBytes(Buffer.from(text))).bytes.toString()).not.toContain(secret);
  });

  it.each([
    'const token: string = readToken(user, session);',
    'The password has to have 12 characters at least.',
    'commit 3f2a9c1d8e7b6a5f4c3d2e1f0a9b8c7d6e5f4a3b',
    '{"id":"a1b2c3d4-0000-4000-8000-000000000001","parentId":"a0000001"}',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'git clone https://github.com/example/shop.git && npm run test:interop',
    'secret = process.env.SECRET ?? "<none>"',
  ])('are not seen in %s', async (text) => {
    expect(await createRedactor().text(text)).toBe(text);
  });
});
