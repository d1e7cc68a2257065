// A service that speaks the streaming Responses API, answers every request with a few words, and remembers what it was sent.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is asked of the service, as far as the checks look at it. */
export interface Asked {
  readonly input: readonly Item[];
}

export interface Item {
  readonly type: string;
  readonly role?: string;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly call_id?: string;
  readonly output?: unknown;
}

export interface Service extends AsyncDisposable {
  /** Where it is; what is sent to it comes to `asked`. */
  readonly url: string;
  readonly asked: Asked[];
}

export async function answerAsOpenAI(words: string): Promise<Service> {
  const asked: Asked[] = [];
  const server = createServer({ shouldUpgradeCallback: () => false }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method !== 'POST' || !request.url?.endsWith('/responses')) {
      // 426: it would rather have a WebSocket, and takes this for a no.
      const status = request.headers.upgrade ? 426 : 404;
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    asked.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of answer(words, asked.length))
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(text: string, n: number): (Record<string, unknown> & { type: string })[] {
  const id = `resp_${n}`;
  const item = {
    type: 'message',
    role: 'assistant',
    id: `msg_${n}`,
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 12,
  };
  return [
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id, usage } },
  ];
}
