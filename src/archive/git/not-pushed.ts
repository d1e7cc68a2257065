import { ThroughlineError } from '../../errors.ts';
import { createRedactor } from '../../secrets/index.ts';

/** An address may hold a password, in what git says as well as in the name of the remote itself. */
export async function notPushed(remote: string, stderr: string): Promise<ThroughlineError> {
  const redactor = createRedactor();
  const where = await redactor.text(remote);
  const said = (await redactor.text(stderr)).trim().split('\n').slice(-6).join('\n');
  return new ThroughlineError(
    'archive-not-pushed',
    `The archive is here, but ${where} did not take it:\n${said}`,
    { details: { remote: where } },
  );
}
