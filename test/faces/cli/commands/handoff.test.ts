import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProject, openProject } from '../../../../src/project/index.ts';
import { createSession } from '../../../../src/session/index.ts';
import { assistant, user } from '../../../../src/testing/index.ts';
import * as pi from '../../../transcripts/formats/pi/records.ts';
import { createMachine } from '../command-line.ts';

describe('throughline handoff', () => {
  it.each(['pi', 'claude-code', 'codex'])(
    'puts a session where %s looks, never over another one',
    async (agent) => {
      using machine = createMachine();
      await machine.session({ id: 'cart', project: machine.folder }, (session) =>
        session.append([user('Where?'), assistant('Here.')]),
      );
      const env = { CLAUDE_CONFIG_DIR: '', PI_CODING_AGENT_DIR: '', CODEX_HOME: '' };
      const { stdout, code } = await machine.run(['handoff', 'cart', '--to', agent, '--json'], { env });
      expect(code).toBe(0);
      const { file, command } = JSON.parse(stdout) as { file: string; command: string };
      expect(file.startsWith(path.join(machine.home, '.'))).toBe(true);
      expect(readFileSync(file, 'utf8')).toContain('Where?');
      expect(command).toMatch(
        new RegExp(
          `^cd ${machine.folder} && ${{ pi: 'pi --session', 'claude-code': 'claude --resume', codex: 'codex resume' }[agent]}`,
        ),
      );
      const again = await machine.run(['handoff', 'cart', '--to', agent], { env });
      expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is there already')]);
      expect(again.stderr).toContain(command);
      expect(again.stderr).not.toContain('--force');
    },
  );
});

describe('throughline handoff back to where a session came from', () => {
  it('leaves the original as it is, and puts the session beside it once it was gone on with', async () => {
    using machine = createMachine();
    const env = { PI_CODING_AGENT_DIR: '' };
    const handoff = (...more: string[]) =>
      machine.run(['handoff', id, '--to', 'pi', '--folder', machine.folder, ...more], { env });
    const id = 'a1b2c3d4-0000-4000-8000-000000000001';
    const name = `--${machine.folder.slice(1).replaceAll('/', '-')}--`;
    const original = path.join(
      machine.home,
      '.pi/agent/sessions',
      name,
      `2026-02-20T12-00-00-000Z_${id}.jsonl`,
    );
    mkdirSync(path.dirname(original), { recursive: true });
    writeFileSync(original, pi.beside());
    await machine.run(['import', original]);
    const refused = await handoff();
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('nothing was said in it here'),
    ]);
    await machine.change((store) => store.append(id, [{ body: user('And here?') }]));
    const done = JSON.parse((await handoff('--json')).stdout) as { file: string; original: string };
    expect(done.original).toBe(original);
    expect(readFileSync(done.file, 'utf8')).toContain('And here?');
    expect(readFileSync(done.file, 'utf8').split('\n')[0]).not.toContain(id);
    expect(readFileSync(original, 'utf8')).toBe(pi.beside());
    expect((await handoff()).stderr).toContain('was handed over before');
  });
});

describe('throughline handoff of a session whose folder is gone', () => {
  it('says so, and names the option for another one', async () => {
    using machine = createMachine();
    const gone = path.join(machine.folder, 'gone');
    await machine.session({ id: 'cart', project: gone }, (session) =>
      session.append([user('Where?'), assistant('Here.')]),
    );
    const env = { PI_CODING_AGENT_DIR: '' };
    const there = await machine.run(['handoff', 'cart', '--to', 'pi', '--folder', '.'], { env });
    expect([there.code, there.stderr]).toEqual([0, '']);
    const { code, stderr } = await machine.run(['handoff', 'cart', '--to', 'pi'], { env });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^Warning: The folder of this session is not on this machine: .*gone\. .*--folder/,
    );
  });
});

describe('throughline handoff of a session whose project is an id', () => {
  it('goes on in the folder of that project, from wherever it is called', async () => {
    using machine = createMachine();
    await machine.change(async (store) => {
      const { id } = await openProject(store, await findProject(store, machine.folder));
      await using session = await createSession(store, { id: 'cart', project: id });
      await session.append([user('Where?'), assistant('Here.')]);
    });
    const { stdout } = await machine.run(['handoff', 'cart', '--to', 'pi', '--json'], {
      folder: machine.home,
      env: { PI_CODING_AGENT_DIR: '' },
    });
    expect(JSON.parse(stdout)).toMatchObject({ project: realpathSync(machine.folder) });
  });
});
