import { z } from 'zod';
import { ThroughlineError } from '../../errors.ts';
import type { ModelChoice } from '../../models/index.ts';
import type { AgentTool } from '../tools/agent-tool.ts';

/** A name, instructions, tools, and the model that should answer. */
export interface Agent {
  readonly name: string;
  /** Sent in front of every request; leave out changing values, and the provider's cache stays warm. */
  readonly instructions: string;
  readonly tools?: Readonly<Record<string, AgentTool>>;
  readonly model?: ModelChoice;
  /** What summaries of its sessions should keep, for the model that writes them. */
  readonly summaryInstructions?: string;
}

const isFunction = (value: unknown) => typeof value === 'function';

const Tool = z.looseObject({
  description: z.unknown().optional(),
  inputSchema: z.unknown().refine((schema) => schema !== undefined && schema !== null, 'is missing'),
  execute: z.custom(isFunction, 'is not a function').optional(),
  repeatable: z.boolean().optional(),
  type: z.string().optional(),
});

/** What an agent module has to export. */
export const AgentModule = z.looseObject({
  name: z.string().trim().min(1, 'is empty'),
  instructions: z.string(),
  tools: z
    .record(z.string(), Tool)
    .refine(
      (tools) => Object.values(tools).every((tool) => tool.execute !== undefined || tool.type === 'provider'),
      'has a tool without "execute"',
    )
    .optional(),
  summaryInstructions: z.string().max(10_000, 'is longer than 10,000 characters').optional(),
  model: z
    .custom(
      (model) => typeof model === 'string' || (typeof model === 'object' && model !== null),
      'is neither a name nor a model',
    )
    .optional(),
});

/** Refuses what a program without types may hand over as an agent. */
export function refuseNoAgent(agent: unknown): void {
  if (agent === undefined || agent === null || agent === false) return;
  // The name of a module is no consent to run it, so the caller loads it.
  if (typeof agent === 'string')
    throw noAgent(
      `was given as the name of a module. Load it: agent: await loadAgent(${JSON.stringify(agent)}).`,
    );
  if (typeof agent !== 'object') throw noAgent(`is ${String(agent)}. ${SHAPE}`);
  const { instructions, tools } = agent as Partial<Agent>;
  if (typeof instructions !== 'string') throw noAgent(`has no "instructions". ${SHAPE}`);
  if (tools != null && (typeof tools !== 'object' || Array.isArray(tools)))
    throw noAgent(`has "tools" that are no object: give { <name>: <tool> }.`);
}

const SHAPE = 'Give { name, instructions, tools, model }, or await loadAgent(<file>).';

function noAgent(fault: string): ThroughlineError {
  return new ThroughlineError('usage', `"agent" is an agent, and ${fault}`, { details: { option: 'agent' } });
}
