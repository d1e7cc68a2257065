import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ConsentOptions, consentList } from './agent-consent.ts';

/**
 * A seal that only this person's home folder can give. What stands in a store may have come with a file from anywhere, so a
 * consent that is kept there counts only with its seal. `undefined` where no key can be read or made.
 */
export async function sealOf(
  words: readonly string[],
  options: ConsentOptions = {},
): Promise<string | undefined> {
  const key = await readKey(path.join(path.dirname(consentList(options)), 'approval.key'));
  return key && createHmac('sha256', key).update(JSON.stringify(words)).digest('base64url');
}

const KEY = /^[0-9a-f]{64}$/;

async function readKey(file: string): Promise<string | undefined> {
  const read = async () => {
    const text = (await readFile(file, 'utf8').catch(() => '')).trim();
    return KEY.test(text) ? text : undefined;
  };
  const known = await read();
  if (known !== undefined) return known;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    // Two processes may make one at the same time: the file that is there first counts.
    await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch {}
  return read();
}
