import type { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';

/** What one method takes and gives, and what it is for. The documents, the client's types and the checks come from this. */
export interface Method<Params extends z.ZodObject = z.ZodObject, Result extends z.ZodType = z.ZodType> {
  /** One or two sentences for the docs. */
  readonly summary: string;
  readonly params: Params;
  readonly result: Result;
  /** It changes something: a token that may only read is refused. */
  readonly writes?: true;
  /** Errors that its work ends with, beside those that follow from what it takes. */
  readonly fails?: readonly ErrorCode[];
}

/** Keeps the types of the schemas with the method. */
export function method<Params extends z.ZodObject, Result extends z.ZodType>(
  described: Method<Params, Result>,
): Method<Params, Result> {
  return described;
}

/** What the server says without being asked. */
export interface Notification<Params extends z.ZodObject = z.ZodObject> {
  readonly summary: string;
  readonly params: Params;
}

export function notification<Params extends z.ZodObject>(
  described: Notification<Params>,
): Notification<Params> {
  return described;
}
