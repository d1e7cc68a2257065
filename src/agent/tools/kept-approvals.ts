import { type NewEntry, type SealedApproval, type SessionInfo, settingEntry } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { realFile } from '../definition/agent-consent.ts';
import { sealOf } from '../definition/machine-seal.ts';
import { readToolConsents, setToolConsent, type ToolConsent } from '../definition/tool-consent.ts';

// A yes that holds for longer than one call. It is about a tool of an agent module, whatever the tool is given. One for the
// session is a setting of the session; one for good stands in the home folder beside the consent to the module itself.

export interface KeptApproval extends ToolConsent {
  readonly scope: 'session' | 'always';
  /** Who allowed it, if that is known. */
  readonly by?: string;
}

type ToolName = Pick<ToolConsent, 'agent' | 'toolName'>;

export async function isApproved(session: Session, { agent, toolName }: ToolName): Promise<boolean> {
  const file = (await realFile(agent, {})) ?? agent;
  const isMeant = (one: ToolName) => one.agent === file && one.toolName === toolName;
  if ((await readToolConsents()).some(isMeant)) return true;
  // Asked anew: it may have been taken back by another process.
  return (await soundApprovals(await session.refresh())).some(isMeant);
}

/** Where it cannot be kept, people are asked the next time too. */
export async function keepApproval(
  session: Session,
  { agent, toolName, scope, by }: ToolName & Pick<KeptApproval, 'scope' | 'by'>,
): Promise<void> {
  if (scope === 'always') {
    await setToolConsent({ agent, toolName, allowed: true });
    return;
  }
  const file = (await realFile(agent, {})) ?? agent;
  const seal = await sealOf(sealed(session.id, { agent: file, toolName }));
  if (seal === undefined) return;
  const others = (await soundApprovals(await session.refresh())).filter(
    (one) => one.agent !== file || one.toolName !== toolName,
  );
  const added = { agent: file, toolName, at: Date.now(), ...(by !== undefined && { by }), seal };
  await session.append([settingOf([...others, added])]);
}

/** What holds now: in the session, if one is given, and for good. */
export async function listApprovals(session?: SessionInfo): Promise<KeptApproval[]> {
  const here = session ? await soundApprovals(session) : [];
  const always = await readToolConsents();
  return [
    ...here.map(({ seal: _, by, ...one }) => ({
      scope: 'session' as const,
      ...one,
      ...(by !== undefined && { by }),
    })),
    ...always.map((one) => ({ scope: 'always' as const, ...one })),
  ];
}

/** Takes back a permission for a session: one tool, or all of them. Gives how many that were. */
export async function revokeInSession(
  store: Store,
  session: SessionInfo,
  { toolName }: { toolName?: string | undefined } = {},
): Promise<number> {
  const known = await soundApprovals(session);
  const rest = toolName === undefined ? [] : known.filter((one) => one.toolName !== toolName);
  if (rest.length < known.length) await store.append(session.id, [settingOf(rest)]);
  return known.length - rest.length;
}

/** Takes back a permission for good: of one tool, of one agent, or all of it. Gives how many that were. */
export async function revokeAlways({
  toolName,
  agent,
}: {
  toolName?: string | undefined;
  agent?: string | undefined;
} = {}): Promise<number> {
  const file = agent === undefined ? undefined : ((await realFile(agent, {})) ?? agent);
  const meant = (await readToolConsents())
    .filter((one) => toolName === undefined || one.toolName === toolName)
    .filter((one) => file === undefined || one.agent === file);
  let revoked = 0;
  for (const one of meant) if (await setToolConsent({ ...one, allowed: false })) revoked++;
  return revoked;
}

/** Those that were sealed on this machine for this very session. A fork is another session, and is asked about. */
async function soundApprovals({ id, state }: SessionInfo): Promise<SealedApproval[]> {
  const found: SealedApproval[] = [];
  for (const one of state.settings.approvedTools ?? [])
    if (one.seal === (await sealOf(sealed(id, one)))) found.push(one);
  return found;
}

function sealed(session: string, { agent, toolName }: ToolName): string[] {
  return ['tool approval', session, agent, toolName];
}

function settingOf(approvals: readonly SealedApproval[]): NewEntry {
  return settingEntry('approvedTools', approvals.length === 0 ? null : [...approvals], { by: 'user' });
}
