import type { Fault, Turn } from './wire-script.ts';
import type { WireRequest } from './wire-server.ts';

export interface FaultAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** How one provider puts things: addresses, bodies, event streams and errors. */
export interface Dialect {
  /** What follows the origin in the base URL that clients are given. */
  readonly basePath: string;
  /** A reference that `openModel` understands, naming a model that speaks this dialect. */
  readonly reference: string;
  /** The variables that point a process at this server. */
  env(server: {
    readonly url: string;
    readonly origin: string;
    readonly key: string;
  }): Record<string, string>;
  /** Whether this is the address that models are asked at; everything else is not found. */
  isCall(path: string): boolean;
  isStreaming(request: Pick<WireRequest, 'path' | 'search' | 'body'>): boolean;
  answer(turn: Turn, request: WireRequest): unknown;
  /** The answer as ready-made frames of an event stream, with the end of the stream last. */
  frames(turn: Turn, request: WireRequest): string[];
  fault(fault: Fault, request: WireRequest): FaultAnswer;
  /** The frame that tells of a failure in the middle of a stream. */
  failureFrame(): string;
}

export const sse = (data: unknown, event?: string): string =>
  `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`;

/** Text as a model streams it: a word at a time. */
export const pieces = (text: string): string[] => text.match(/\s*\S+\s*?(?=\s|$)|\s+/g) ?? [];

export const retryAfter = ({ retryAfterSeconds }: Fault): Record<string, string> =>
  retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
