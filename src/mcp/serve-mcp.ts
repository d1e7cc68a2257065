import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpServerOptions } from './create-mcp-server.ts';

export interface ServeMcpOptions extends McpServerOptions {
  /** Errors beside the answers, for stderr. */
  readonly onError: (error: Error) => void;
  /** Ends the service. */
  readonly signal: AbortSignal;
}

/** Serves one client over stdin and stdout until it is gone. Nothing but the protocol goes to stdout. */
export async function serveMcp({ onError, signal, ...options }: ServeMcpOptions): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    process.stdout.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const transport = new StdioServerTransport();
  const service = serveStdio(() => createMcpServer(options), { transport, onerror: onError });
  await gone;
  await service.close();
}
