import { type Summariser, withInstructions } from '../../compaction/index.ts';
import type { SessionInfo } from '../../record/index.ts';

/** The summariser with what the session's agent module wants kept. Without a summariser no module is loaded. */
export async function withAgentInstructions(
  summariser: Summariser | undefined,
  info: SessionInfo,
  { agents }: { readonly agents?: boolean | undefined },
): Promise<Summariser | undefined> {
  if (!summariser) return undefined;
  const { summaryInstructionsOf } = await import('../../agent/index.ts');
  return withInstructions(summariser, await summaryInstructionsOf(info, { agents }));
}
