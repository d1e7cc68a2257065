/**
 * Whether a session as it was stored later has everything that one stored earlier has. Its messages only grow in number, but
 * not at the end of the file: each session of the family ends with its hash, and forks follow. So every line of the older one
 * has to be in the newer one, in that order, but for the lines with counts.
 */
export function holdsLog(newer: Uint8Array, older: Uint8Array): boolean {
  const there = linesOf(newer);
  let at = 0;
  for (const line of linesOf(older)) {
    while (at < there.length && there[at] !== line) at++;
    if (at === there.length) return false;
    at++;
  }
  return true;
}

function linesOf(bytes: Uint8Array): string[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8').split('\n');
  // A secret that came before them gives the later ones another number.
  return lines
    .filter((line) => line !== '' && !/^\{"(?:end|throughline)":/.test(line))
    .map((line) => line.replace(/\[secret-\d+ /g, '[secret '));
}
