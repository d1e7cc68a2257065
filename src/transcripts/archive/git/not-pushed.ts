import { ThroughlineError } from '../../../errors.ts';
import { createRedactor } from '../../../text/secrets/index.ts';

/** What git said when a remote did not take the branch. */
export async function notPushed(remote: string, stderr: string): Promise<ThroughlineError> {
  const said = (await createRedactor().text(stderr)).trim().split('\n').slice(-6).join('\n');
  return keptHere(remote, (where) => `The archive is here, but ${where} did not take it:\n${said}`);
}

/** The branch was not pushed, for a reason that tells of the remote: whose address may hold a password. */
export async function keptHere(
  remote: string,
  say: (where: string) => string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<ThroughlineError> {
  const where = await createRedactor().text(remote);
  return new ThroughlineError('archive-not-pushed', say(where), { details: { remote: where, ...details } });
}
