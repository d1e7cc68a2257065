export type { Access, AgentSdk, SdkMessage, SdkRequest } from '../../operations/index.ts';
export { createHttpClient, type HttpClientOptions } from './client/http-client.ts';
export { createPeer, type Peer } from './client/peer.ts';
export type { RpcClient, Watch, WatchOptions, WatchSessionsOptions } from './client/rpc-client.ts';
export { RpcError } from './client/rpc-error.ts';
export {
  type ConnectionState,
  createSocketClient,
  type SocketClientOptions,
  type SocketLike,
} from './client/socket-client.ts';
export { describeInterface } from './describe-interface.ts';
export {
  createRpcServer,
  type RpcServer,
  type RpcServerOptions,
  type Timeouts,
} from './http/create-rpc-server.ts';
export { addToken, hashToken, newToken, type TokenLine } from './http/tokens.ts';
export {
  METHODS,
  type MethodName,
  type NotificationName,
  type NotificationParams,
  type ParamsOf,
  type ResultOf,
} from './methods/index.ts';
export { NOTIFICATIONS } from './methods/notifications.ts';
export { type ServeStdioOptions, serveStdio } from './serve-stdio.ts';
export type { ServiceOptions } from './service.ts';
