/** What a server refused, or what kept it from being reached. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  /** JSON-RPC's number. */
  readonly rpcCode: number;
  /** The same word as in the library and on the command line; `disconnected` without an answer. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    { rpcCode, code, details = {} }: { rpcCode: number; code: string; details?: Record<string, unknown> },
  ) {
    super(message);
    this.rpcCode = rpcCode;
    this.code = code;
    this.details = details;
  }
}

/** The error object of a JSON-RPC response. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly code?: string; readonly details?: Record<string, unknown> };
}

export function toRpcError({ code, message, data }: WireError): RpcError {
  return new RpcError(message, {
    rpcCode: code,
    code: data?.code ?? 'unexpected',
    ...(data?.details && { details: data.details }),
  });
}

/** The call may have been carried out or not: repeat it with the id it had. */
export function disconnected(message = 'The connection to the server is gone.'): RpcError {
  return new RpcError(message, { rpcCode: -32000, code: 'disconnected' });
}
