import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { user } from '../../src/testing/index.ts';
import { createMachine } from './command-line.ts';

/** Says on its standard error, at the end, which packages a process has loaded. */
const TELL_PACKAGES = `
import { registerHooks } from 'node:module';
const packages = new Set();
registerHooks({
  load(url, context, next) {
    const name = url.match(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/)?.[1];
    if (name) packages.add(name);
    return next(url, context);
  },
});
process.on('exit', () => console.error('packages: ' + JSON.stringify([...packages])));
`;

it.each([
  ['sessions', 'a list of sessions'],
  ['context 1', 'a context'],
  ['show 1', 'a session'],
  ['search parser', 'a search'],
])(
  '"throughline %s" shows %s without loading a package: the AI SDK and the server take longer than all the rest',
  async (words) => {
    using machine = createMachine();
    await machine.session({ id: 'one' }, (session) => session.append([user('What does the parser do?')]));
    const hook = path.join(machine.folder, 'tell-packages.mjs');
    writeFileSync(hook, TELL_PACKAGES);
    const { stderr, code } = await machine.run(words.replace('1', 'one').split(' '), {
      env: { NODE_OPTIONS: `--import ${hook}` },
    });
    expect(code).toBe(0);
    expect(stderr).toContain('packages: []');
  },
);
