import { type ErrorCode, isThroughlineError, type ThroughlineError } from '../../errors.ts';
import type { WireError } from './client/rpc-error.ts';

/** The numbers that JSON-RPC itself gives. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Every error with a separate word in `data.code`. */
  serverError: -32000,
} as const;

/** The words that have a number of JSON-RPC's own; the word distinguishes the rest. */
const NUMBERS: Partial<Record<ErrorCode, number>> = { usage: RPC.invalidParams };

export function numberOf(code: ErrorCode): number {
  return NUMBERS[code] ?? RPC.serverError;
}

/** The error that a caller gets: the code is the same word as everywhere. */
export function toWireError(error: unknown): WireError {
  if (!isThroughlineError(error)) {
    const message = 'Something unexpected went wrong in the server.';
    return { code: RPC.internalError, message, data: { code: 'unexpected' } };
  }
  const { code, message } = error;
  const details = shownDetails(error);
  return {
    code: numberOf(code),
    message,
    data: { code, ...(Object.keys(details).length > 0 && { details }) },
  };
}

/** The token of a lease lets its holder write: other clients do not see it. */
function shownDetails({ details }: ThroughlineError): Record<string, unknown> {
  const { token: _, ...shown } = details;
  return shown;
}
