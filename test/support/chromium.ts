import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const SYSTEM = ['chromium-headless-shell', 'chromium', 'google-chrome'];
const FOLDER = path.resolve('node_modules/.cache/chromium');

/**
 * A Chromium to test with: `CHROMIUM`, the system's, or the one that comes from npm, which there is for Linux on x64. Called
 * once, before the tests start: two that unpack at the same time break each other.
 */
export async function findChromium(): Promise<string | undefined> {
  return process.env.CHROMIUM ?? findInPath() ?? (await unpackFromNpm());
}

function findInPath(): string | undefined {
  for (const name of SYSTEM) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {}
  }
  return undefined;
}

async function unpackFromNpm(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  // Makes the package unpack its own shared libraries too, for machines that have none.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs24.x';
  const before = process.env.TMPDIR;
  // It unpacks into the temporary folder: a folder of one's own keeps other people's copies apart.
  mkdirSync(FOLDER, { recursive: true });
  process.env.TMPDIR = FOLDER;
  try {
    const executable = await (await import('@sparticuz/chromium')).default.executablePath();
    nameFonts();
    return executable;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** Its settings name another folder for the fonts; without a font every text is 0 pixels wide. */
function nameFonts(): void {
  const settings = path.join(FOLDER, 'fonts/fonts.conf');
  if (!existsSync(settings)) return;
  const text = readFileSync(settings, 'utf8');
  const system = '<dir>/usr/share/fonts</dir>';
  const named = text.replaceAll('>/tmp/fonts', `>${FOLDER}/fonts`);
  writeFileSync(settings, named.includes(system) ? named : named.replace('<dir>', `${system}<dir>`));
}

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--headless=shell', '--font-render-hinting=none'],
  });
}
