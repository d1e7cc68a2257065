export type { Access, AgentSdk, SdkMessage, SdkRequest } from '../operations/index.ts';
export {
  type ConnectionState,
  createHttpClient,
  createPeer,
  createSocketClient,
  type HttpClientOptions,
  type Peer,
  type RpcClient,
  RpcError,
  type SocketClientOptions,
  type SocketLike,
  type Watch,
  type WatchOptions,
  type WatchSessionsOptions,
} from './client/index.ts';
export { describeInterface } from './describe-interface.ts';
export {
  createRpcServer,
  type RpcServer,
  type RpcServerOptions,
  type Timeouts,
} from './http/create-rpc-server.ts';
export { hashToken, newToken } from './http/tokens.ts';
export { addToken, type TokenLine } from './http/tokens-file.ts';
export {
  METHODS,
  type MethodName,
  NOTIFICATIONS,
  type NotificationName,
  type NotificationParams,
  type ParamsOf,
  type ResultOf,
} from './methods/index.ts';
export { type ServeStdioOptions, serveStdio } from './serve-stdio.ts';
export type { ServiceOptions } from './service.ts';
