import { checkOptions, type OptionKinds } from '../check-options.ts';
import { ThroughlineError } from '../errors.ts';
import { refuseNoAgent } from './agent/agent.ts';
import type { TurnOptions } from './turn-options.ts';

const OPTIONS: OptionKinds<Required<TurnOptions>> = {
  model: 'anything',
  tools: 'object',
  optionalTools: 'list',
  countTokens: 'function',
  agent: 'anything',
  agentProblem: 'text',
  refresh: 'function',
  signal: 'signal',
  shutdown: 'signal',
  onEvent: 'function',
  approve: 'function',
  head: 'list',
  recall: 'function',
  knowledge: 'function',
  budget: 'object',
  compaction: ['object', 'false'],
  maxSteps: 'number',
  retry: 'object',
  timeoutMs: 'number',
  providerOptions: 'object',
  temperature: 'number',
  openModel: 'object',
};

/** Refuses what a turn cannot be run with, before anything is stored. */
export function checkTurnOptions(options: TurnOptions): void {
  checkOptions(options, OPTIONS, { call: 'runTurn' });
  const { agent, timeoutMs } = options;
  refuseNoAgent(agent);
  if (timeoutMs == null || timeoutMs > 0) return;
  throw new ThroughlineError('usage', `"timeoutMs" has to be more than 0 milliseconds, and is ${timeoutMs}.`);
}
