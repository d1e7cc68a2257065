import { z } from 'zod';
import { ThroughlineError } from '../errors.ts';
import { checkOptions, WorkFeature, WorkTask } from '../record/index.ts';

// Orchestrators are often written without types. A mistake in a value is refused at the door, under the name that the caller
// gave it, before anything of it is in a log.

const Callback = z.custom((value) => typeof value === 'function', 'must be a function');

/** Unknown names are refused: a misspelt option would be an option that does nothing. */
export const CheckedWorkOptions = z.strictObject({
  folder: z.string().min(1).optional(),
  project: z.looseObject({ id: z.string() }).optional(),
  budget: z.int().min(1).optional(),
  model: z.string().min(1).optional(),
  countTokens: Callback.optional(),
  agent: z.union([z.literal(false), z.looseObject({ instructions: z.string() })]).optional(),
  memory: z.boolean().optional(),
  recall: z.union([z.boolean(), z.int().min(0)]).optional(),
  knowledge: z.looseObject({ head: Callback, recall: Callback }).optional(),
  summariser: z.looseObject({ name: z.string(), summarise: Callback }).optional(),
  now: Callback.optional(),
  onEvent: Callback.optional(),
});

export const CheckedLoopOptions = z.strictObject({
  prompt: Callback,
  ask: Callback,
  apply: Callback.optional(),
  check: Callback,
  maxIterations: z.int().min(1).optional(),
  checkpointEvery: z.int().min(0).optional(),
  signal: z.instanceof(AbortSignal).optional(),
  onIteration: Callback.optional(),
});

export const CheckedMoveOptions = z.strictObject({
  force: z.boolean().optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
});

/** What `setFeature` and `setTask` take: the fields of the entry, without those that say which one it is. */
export const CheckedFeatureFields = WorkFeature.omit({ kind: true, step: true, feature: true });
export const CheckedTaskFields = WorkTask.omit({ kind: true, step: true, feature: true, task: true });

export const CheckedOutcome = z.looseObject({
  passed: z.array(z.string()),
  failed: z.array(z.string()),
  lastError: z.string().nullish(),
});

/** Throws `usage` if a name is none of the options of a call, with the nearest one, or if a value cannot be used. */
export function checkCall(schema: z.ZodObject, options: unknown, call: string): void {
  if (typeof options === 'object' && options !== null) checkNames(schema, options, call);
  checkValue(schema, options, `The options of ${call}`);
}

/** The same for names alone, where the log refuses the values. */
export function checkNames(schema: z.ZodObject, options: object, call: string): void {
  const known = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, 'anything' as const]));
  checkOptions(options, known, { call });
}

/** Throws `usage` with the name of each wrong field. */
export function checkValue(schema: z.ZodType, value: unknown, what: string): void {
  const { error } = schema.safeParse(value);
  if (!error) return;
  const problems = error.issues.map(({ path, message }) => [...path.map(String), message].join(': '));
  throw new ThroughlineError('usage', `${what} cannot be used: ${problems.join('; ')}.`, {
    cause: error,
    details: { what, problems },
  });
}

/** The text itself; throws `usage` if it is no text, or has no visible character where `blank` is not allowed. */
export function checkText(value: unknown, what: string, { blank = false } = {}): string {
  if (typeof value === 'string' && (blank || value.trim() !== '')) return value;
  const given = typeof value === 'string' ? 'empty' : value === null ? 'null' : typeof value;
  throw new ThroughlineError('usage', `${what} has to be a text, and is ${given}.`, {
    details: { what, given },
  });
}
