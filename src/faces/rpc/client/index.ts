export type {
  CompactionRecord,
  DocumentRecord,
  EntryRecord,
  LiveEvent,
  MessageRecord,
  SessionRecord,
  TodoRecord,
} from '../../../operations/index.ts';
export { type ResultPiece, readPart } from '../../../text/read-part.ts';
export { sayCount, sayDollars, sayShare, sayTokens } from '../../../text/say-amount.ts';
export { sayFit } from '../../../text/say-fit.ts';
export { sayNumber } from '../../../text/say-number.ts';
export { sayTitle } from '../../../text/say-title.ts';
export type {
  MethodName,
  NotificationName,
  NotificationParams,
  ParamsOf,
  ResultOf,
} from '../methods/index.ts';
export { createHttpClient, type HttpClientOptions } from './http-client.ts';
export { createPeer, type Peer } from './peer.ts';
export type {
  CallParams,
  OnNotification,
  RpcClient,
  Watch,
  WatchOptions,
  WatchSessionsOptions,
} from './rpc-client.ts';
export { RpcError } from './rpc-error.ts';
export {
  type ConnectionState,
  createSocketClient,
  type SocketClientOptions,
  type SocketLike,
} from './socket-client.ts';
