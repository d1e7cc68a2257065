#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read. If the one that runs this is too old and npm brought a newer one
// along, the command runs in that one, with the same arguments, streams, signals and exit code.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = [24, 15];
const main = new URL('../dist/faces/cli/main.js', import.meta.url);

if (!existsSync(main)) {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  fail(`Throughline is not built yet. In ${folder} run "npm install", then "npm start".`);
} else if (isNewEnough(process.versions.node)) {
  // Meant for one process; whatever this one starts is called by somebody else.
  delete process.env.THROUGHLINE_SHELL_PID;
  import(main.href).catch((error) => fail(error.stack));
} else {
  const node = findNode();
  if (node) runIn(node);
  else {
    fail(
      `Throughline needs Node ${NEEDED.join('.')} or newer; this is ${process.version}. ` +
        `Install it from https://nodejs.org${isClone() ? ', or run "npm install" without --omit=optional: it brings one along' : ''}.`,
    );
  }
}

/** Only a clone has the workspace that brings Node along. */
function isClone() {
  return existsSync(new URL('../tools/runtime', import.meta.url));
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

function findNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const file = `node-${system}-${process.arch}/bin/node${system === 'win' ? '.exe' : ''}`;
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch {
    return undefined;
  }
}

async function runIn(node) {
  // It takes longer to load than the rest of this file, and only an old Node needs it.
  const { spawn } = await import('node:child_process');
  // The last list belongs to the shell, and the shell called this process, not the next one.
  const env = Object.assign({}, process.env, { THROUGHLINE_SHELL_PID: String(process.ppid) });
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit', env });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both; a second one from here would look like the user's impatience.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => fail(`${node} could not be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
