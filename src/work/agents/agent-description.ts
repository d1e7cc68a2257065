import { z } from 'zod';
import type { AgentType } from '../sessions/session-place.ts';

/** The instructions of an agent type, as people edit them in a file. */
export const AgentFile = z.strictObject({
  role: z.string().trim().min(1, 'is empty').max(20_000),
  instructions: z.array(z.string().trim().min(1).max(4_000)).max(200),
  allowedTools: z.array(z.string().min(1).max(200)).max(500),
  toolInstructions: z.string().max(20_000).optional(),
});
export type AgentFile = z.infer<typeof AgentFile>;

/** The role of a session: the first instructions of its agent, and its tools. */
export interface AgentDescription extends AgentFile {
  readonly sessionId: string;
  readonly agentType: AgentType;
  readonly createdAt: string;
  /** Of what a request shows of it. */
  readonly tokens: number;
}
