import { compactSession, createSession, openStore, PRESETS } from '../src/index.ts';
import { assistant, user } from '../src/testing/index.ts';

const HOUR = 3_600_000;

/** A few conversations such as people have with coding agents, one of them long enough to be shortened. */
export async function fillDemoStore(file: string, now: number): Promise<void> {
  await using store = await openStore(file);
  let time = now - 50 * HOUR;
  const clock = () => time;

  async function talk(title: string, tags: readonly string[], turns: readonly (readonly [string, string])[]) {
    await using session = await createSession(store, { agent: 'Simple Sally', title, tags }, { now: clock });
    for (const [question, answer] of turns) {
      time += 4 * 60_000;
      await session.append([user(question), assistant(answer)]);
    }
    return session.id;
  }

  await talk(
    'Nightly backup',
    ['ops'],
    [
      [
        'Set up a nightly backup of the database.',
        'Done: scripts/backup.sh runs at 03:00 and keeps seven copies.',
      ],
      ['Where do the copies go?', 'To /backup/db, named by date.'],
    ],
  );
  time = now - 26 * HOUR;
  await talk(
    'Tokens in the auth module',
    ['auth'],
    [
      ['Where are access tokens checked?', 'In src/auth/check-token.ts, before every handler.'],
      [
        'Let us rotate the signing key every 30 days.',
        'Decided: src/auth/keys.ts rotates the key every 30 days.',
      ],
    ],
  );
  time = now - 5 * HOUR;
  await using session = await createSession(
    store,
    { agent: 'Simple Sally', title: 'Uploads fail at 100 MB', tags: ['storage'] },
    { now: clock },
  );
  for (const [question, answer] of upload()) {
    time += 3 * 60_000;
    await session.append([user(question), assistant(answer)]);
  }
  await compactSession(session, { settings: { ...PRESETS.balanced, keep: { messages: 6 } } });
}

function upload(): [string, string][] {
  const turns: [string, string][] = [
    [
      'Uploads over 100 MB fail in production. Why did the upload fail?',
      'The proxy cuts the request: client_max_body_size is 100m in deploy/nginx.conf, so src/upload/receive.ts never sees the end.',
    ],
    [
      'Can we stream it instead?',
      'Yes. Decision: upload in parts of 8 MB, each with its checksum, and put them together in src/upload/assemble.ts.',
    ],
    [
      'Write the code for the parts.',
      'src/upload/split.ts cuts the file, src/upload/receive.ts stores each part under its SHA-256.',
    ],
    [
      'And when the connection breaks?',
      'The client asks which parts are there and sends the rest; a part that came twice is stored once.',
    ],
  ];
  for (let n = 1; n <= 24; n++) {
    turns.push([
      `Test case ${n}: what happens with a file of ${n * 37} MB?`,
      `It is sent in ${Math.ceil((n * 37) / 8)} parts. test/upload/parts.test.ts case ${n} passes in ${100 + n * 7} ms; the last part has ${(n * 37) % 8 || 8} MB.`,
    ]);
  }
  turns.push(
    [
      'Next: show progress to the user.',
      'src/upload/progress.ts reports after every part. Open: the bar jumps when parts are repeated.',
    ],
    ['Fix the bar.', 'It now counts parts that are stored, not parts that were sent.'],
  );
  return turns;
}
