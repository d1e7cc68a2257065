import { compactSession, createSession, forkSession, PRESETS, type Store } from '../../src/index.ts';
import { emptySummary, type SummaryLine } from '../../src/record/index.ts';
import { assistant, toolCall, toolResult, user } from '../../src/testing/index.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const MODEL = 'anthropic:claude-sonnet-4-5';

export const UPLOADS = 'uploads';

/** A few sessions such as people have with coding agents: with tools, summaries, a checkpoint, forks, tags and projects. */
export async function fillDemoSessions(store: Store, now: number): Promise<void> {
  let time = now;
  const clock = () => time;

  async function talk(
    birth: Parameters<typeof createSession>[1],
    age: number,
    turns: readonly (readonly [string, string])[],
  ): Promise<void> {
    time = now - age;
    await using session = await createSession(store, birth, { now: clock });
    for (const [question, answer] of turns) {
      time += 2 * MINUTE;
      await session.append([user(question), assistant(answer, { model: MODEL })]);
    }
  }

  await talk({ title: 'Flaky test in the checkout flow', tags: ['ci'], project: 'atlas-web' }, 400 * HOUR, [
    ['Why does the checkout test fail on Mondays?', 'It builds a date from the week number.'],
  ]);
  await talk(
    { title: 'Billing schema for the new tenants', tags: ['database', 'review'], project: 'billing' },
    80 * HOUR,
    [
      ['How do we move the billing schema without downtime?', 'In four steps, each of which can be undone.'],
      ['Write the first migration.', 'Done: `0041-add-tenant.sql` adds the column and fills it in batches.'],
    ],
  );
  await talk({ title: 'Nightly backup', tags: ['ops'], project: 'infra' }, 26 * HOUR, [
    ['Set up a nightly backup of the database.', '`scripts/backup.sh` runs at 03:00 and keeps seven copies.'],
  ]);
  await talk({ title: 'Tokens in the auth module', tags: ['auth'], project: 'atlas-web' }, 3 * HOUR, [
    ['Where are access tokens checked?', 'In `src/auth/check-token.ts`, before every handler.'],
    ['Rotate the signing key every 30 days.', 'Decided: `src/auth/keys.ts` rotates the key every 30 days.'],
  ]);
  await fillUploads(store, now);
}

async function fillUploads(store: Store, now: number): Promise<void> {
  let time = now - 26 * HOUR;
  const clock = () => time;
  const birth = {
    id: UPLOADS,
    title: 'Uploads fail at 100 MB',
    tags: ['storage', 'urgent'],
    project: 'atlas-web',
    agent: 'Sally',
    settings: { model: 'anthropic:claude-haiku-4-5', systemPrompt: INSTRUCTIONS },
  };
  await using session = await createSession(store, birth, { now: clock });
  const keep = { ...PRESETS.balanced, keep: { messages: 2 } };

  const say = async (question: string, ...answer: Parameters<typeof session.append>[0]) => {
    time += 3 * MINUTE;
    await session.append([user(question), ...answer]);
  };
  await say(
    'Uploads over 100 MB fail in production. Why did the upload fail?',
    assistant(
      'The proxy cuts the request: client_max_body_size is 100m in deploy/nginx.conf, so src/upload/receive.ts never sees the end.',
      { model: MODEL },
    ),
  );
  for (const matter of MATTERS) await say(`And ${matter}?`, assistant(answerTo(matter), { model: MODEL }));
  await say(
    'Can we stream it instead?',
    assistant(
      'Decision: upload in parts of 8 MB, each with its checksum. To do: show progress to the user.',
      { model: MODEL },
    ),
  );
  await say('Good.', assistant('Then I begin with the receiving side.', { model: MODEL }));
  await compactSession(session, { settings: keep, summariser: MEMOIST });

  time = now - 50 * MINUTE;
  await say(
    'Write the receiving side first.',
    toolCall('read_file', { path: 'src/upload/receive.ts' }, { id: 'a' }),
    toolResult('read_file', SOURCE, { id: 'a' }),
    toolCall('write_file', { path: 'src/upload/receive.ts', content: '…' }, { id: 'b' }),
    toolResult('write_file', 'ok', { id: 'b' }),
    toolCall('bash', { command: 'npm test -- upload' }, { id: 'c' }),
    toolResult('bash', '1 failed: part 3 came twice', { id: 'c', failed: true }),
    toolCall('write_file', { path: 'src/upload/assemble.ts', content: '…' }, { id: 'd' }),
    toolResult('write_file', 'ok', { id: 'd' }),
    toolCall('bash', { command: 'npm test -- upload' }, { id: 'e' }),
    toolResult('bash', '14 passed', { id: 'e' }),
    assistant(RECEIVING, { model: MODEL }),
  );
  const fork = session.info.head;
  await say('What happens when the connection breaks?', assistant(BREAKS, { model: MODEL }));
  await say(
    'Next: show progress to the user.',
    toolCall('bash', { command: 'rg -n "progress" src/upload' }, { id: 'f' }),
    toolResult('bash', 'src/upload/progress.ts:4', { id: 'f' }),
    assistant(PROGRESS, { model: MODEL }),
  );
  await forkSession(store, session.info, { at: fork, title: 'Uploads, one long stream', now: clock });
}

/** What one asks about uploads before deciding anything. */
const MATTERS = [
  'an empty file',
  'a name with accents',
  'two uploads at once',
  'a slow line',
  'a browser that is closed',
  'a file that grows meanwhile',
  'a disk that is full',
  'a user who signs out',
  'a proxy of our customers',
  'a very old browser',
  'a checksum that differs',
  'a telephone in a tunnel',
];

const answerTo = (matter: string) =>
  `With ${matter} it fails in the same way: the proxy gives up before the receiver has seen the end, and the user is shown a message that says nothing. The receiver itself is fine. Whatever we choose has to keep what has arrived, ask for the rest, and tell the user how far it is, in words and without a spinner.`;

const INSTRUCTIONS =
  'You are a careful engineer. Say what you change before you change it, and run the tests afterwards. '.repeat(
    60,
  );

const line = (text: string): SummaryLine => ({ text, from: [] });

/** Stands for a model that summarises. */
const MEMOIST = {
  name: MODEL,
  summarise: async () => ({
    summary: {
      ...emptySummary(
        'Uploads over 100 MB failed in production because the proxy cut the request. Every way it can break was looked at, and parts were chosen over one long stream.',
      ),
      decisions: [
        line('Upload in parts of 8 MB, each with its checksum'),
        line('Parts are put together in src/upload/assemble.ts'),
      ],
      completed: [line('Found the limit: client_max_body_size is 100m in deploy/nginx.conf')],
      pending: [line('Show progress to the user'), line('Write the receiving side')],
      facts: [line('The proxy cuts requests at 100 MB')],
    },
    by: { kind: 'model' as const, model: MODEL },
  }),
};

/** A file that was read, as long as files are. */
const SOURCE = Array.from(
  { length: 1500 },
  (_, index) =>
    `export function step${index}(upload: Upload): Part { return upload.parts[${index}] ?? upload.next(${index}); }`,
).join('\n');

const RECEIVING = `Each part is stored under its SHA-256, so a part that comes twice is stored once:

\`\`\`ts
export async function storePart(upload: Upload, part: Part): Promise<void> {
  const name = sha256(part.bytes);
  if (name !== part.checksum) throw new PartDamaged(part.number);
  await upload.folder.writeOnce(name, part.bytes);
}
\`\`\`

All 14 tests pass. The client still sends whole files; that is the next step.`;

const BREAKS = `The client asks \`GET /uploads/:id/parts\` which parts are there and sends the rest. Two ways to wait between tries:

| | fixed | growing |
|---|---|---|
| first try | 1 s | 0.5 s |
| after an hour away | 3,600 tries | 12 tries |

I would take the **growing** one. See [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110) on conditional requests.`;

const PROGRESS = `\`src/upload/progress.ts\` reports after every part.

- [x] count parts that are **stored**, not sent
- [ ] the bar still jumps when the first part is repeated`;
