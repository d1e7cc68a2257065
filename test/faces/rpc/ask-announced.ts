import { type JSONSchema7, jsonSchema, type ToolSet } from 'ai';
import { askModel } from '../../../src/agent/answer/ask-model.ts';
import type { SessionContext } from '../../../src/agent/index.ts';
import type { ModelRequest } from '../../../src/agent/request/build-request.ts';
import { openModel } from '../../../src/models/index.ts';
import type { WireServer } from '../../support/wire-server.ts';

/** Sends a context to a model and gives what the provider received. */
export async function askAnnounced(
  server: WireServer,
  reference: string,
  { context, tools }: Pick<SessionContext, 'context'> & { tools: NonNullable<SessionContext['tools']> },
) {
  const model = await openModel(reference, { env: server.env });
  const before = server.requests.length;
  const { signal } = new AbortController();
  const set: ToolSet = Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      {
        ...(description !== undefined && { description }),
        inputSchema: jsonSchema(inputSchema as JSONSchema7),
      },
    ]),
  );
  const options = { tools: set, signal, timeoutMs: 60_000, emit() {}, onDelta() {} };
  await askModel(model, { context } as ModelRequest, options);
  return server.requests[before]!;
}
