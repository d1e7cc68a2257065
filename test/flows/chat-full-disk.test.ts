import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rescueUnsaved } from '../../src/operations/index.ts';
import { createSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { user } from '../../src/testing/index.ts';
import { type ChatPlace, createChatPlace, idIn, PROGRAM } from './chat-place.ts';

const linux = process.platform === 'linux';

/** A chat whose files may not grow beyond this many kilobytes. */
async function talkWithin(place: ChatPlace, kilobytes: number, lines: readonly string[]) {
  const script = `ulimit -S -f ${kilobytes}; exec "$@"`;
  const child = spawn('bash', ['-c', script, '-', process.execPath, PROGRAM, 'chat'], {
    cwd: place.folder,
    env: place.env,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.resume();
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { stderr, code };
}

describe.runIf(linux)('a chat that is left while the disk refuses', () => {
  it('brings what it could not save to safety, says where, and an import puts it back in order', async () => {
    using place = createChatPlace();
    const id = idIn(await place.talk(['The first message.', 'exit']));
    const size = Math.ceil(statSync(path.join(place.home, '.throughline/throughline.db')).size / 1024);
    const words = Array.from({ length: 8 }, (_, i) => `Message ${i} ${'word '.repeat(4000)}end`);
    const { stderr, code } = await talkWithin(place, size + 8, [...words, 'The last message.', 'exit']);
    expect(code).toBe(33);
    const warnings = stderr.match(/⚠ .* is not being saved.*/g)!;
    const refused = warnings.filter((line) => /Message \S+ was not kept: send it again then\.$/.test(line));
    expect(refused).toHaveLength(warnings.length - 1);
    expect(refused.length).toBeGreaterThan(0);
    const [, file] = /throughline import --trust '(.+)'\n$/.exec(stderr) ?? [];
    expect(stderr).toMatch(
      /Error: \d+ entries of session ".+" could not be saved in the store\. Import the file/,
    );
    expect(stderr).not.toContain('session saved without a summary');
    expect(statSync(file!).mode & 0o777).toBe(0o600);

    const imported = await place.run(['import', '--trust', file!]);
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
    expect(imported.stdout).not.toContain('damaged');
    const { entries } = await place.show<{ role?: string; parts?: { text: string }[] }>(id);
    const said = entries.flatMap(({ role, parts }) => (role === 'user' ? [parts![0]!.text] : []));
    const all = ['The first message.', ...words, 'The last message.'];
    // All but those of which it said that they were not kept.
    expect(said).toEqual(all.slice(0, all.length - refused.length));
    expect(await place.sessions()).toHaveLength(1);
    // And once more changes nothing.
    expect((await place.run(['import', '--trust', file!])).stdout).toContain('0 new entries');
  });
});

describe('what could not be saved', () => {
  async function waiting(): Promise<Session> {
    const session = await createSession(createMemoryStore(), { id: 'one' });
    const entry = { id: '01890000-0000-7000-8000-000000000000', at: 1, body: user('Still here.') };
    return Object.defineProperty(session, 'unsaved', { value: [entry] });
  }

  it('goes to the temporary folder if there is no room beside the store', async () => {
    using place = createChatPlace();
    const nowhere = path.join(place.home, 'no', 'such', 'folder.db');
    const before = process.env.TMPDIR;
    process.env.TMPDIR = place.folder;
    try {
      const error = await rescueUnsaved([await waiting()], { location: nowhere });
      expect(error!.message).toMatch(/^1 entry of session "one" could not be saved in the store\./);
      expect(error!.details.files).toEqual([path.join(place.folder, readdirSync(place.folder)[0]!)]);
      process.env.TMPDIR = nowhere;
      const lost = await rescueUnsaved([await waiting()], { location: nowhere });
      expect(lost!.message).toBe('1 entry of session "one" could not be saved anywhere and is lost.');
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });

  it('is nothing most of the time', async () => {
    const session = await createSession(createMemoryStore(), { id: 'one' });
    expect(await rescueUnsaved([session], { location: 'store.db' })).toBeUndefined();
  });
});
