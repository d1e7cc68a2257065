import path from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Machine } from '../cli/command-line.ts';

/** The official client, talking to the real command. */
export interface Agent extends AsyncDisposable {
  readonly client: Client;
  /** What the server said on stderr. */
  readonly stderr: () => string;
  /** Calls a tool that has to succeed, and returns what programs get. */
  call<T = Record<string, unknown>>(tool: string, input?: Record<string, unknown>): Promise<T>;
  /** The same, and what the model gets. */
  text(tool: string, input?: Record<string, unknown>): Promise<string>;
  /** Calls a tool that has to fail. */
  fail(tool: string, input?: Record<string, unknown>): Promise<{ code: string; message: string }>;
}

const BIN = path.resolve('bin/throughline.mjs');

export async function connect(machine: Machine, args: readonly string[] = []): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', '--store', machine.storeFile, ...args],
    cwd: machine.folder,
    env: { PATH: process.env.PATH ?? '', HOME: machine.home, TZ: 'UTC' },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  await client.connect(transport);
  const ask = (name: string, input: Record<string, unknown>) =>
    client.callTool({ name, arguments: input }) as Promise<CallToolResult>;
  return {
    client,
    stderr: () => stderr,
    async call<T>(name: string, input = {}) {
      const result = await ask(name, input);
      if (result.isError) throw new Error(textOf(result));
      return result.structuredContent as T;
    },
    async text(name, input = {}) {
      const result = await ask(name, input);
      if (result.isError) throw new Error(textOf(result));
      return textOf(result);
    },
    async fail(name, input = {}) {
      const result = await ask(name, input);
      if (!result.isError) throw new Error(`did not fail: ${textOf(result)}`);
      return (result.structuredContent as { error: { code: string; message: string } }).error;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
