import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingRequest {
  readonly key: string | undefined;
  readonly model: string;
  readonly texts: readonly string[];
}

export interface EmbeddingServer extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  /** Points any process at this server. */
  readonly env: Readonly<Record<string, string>>;
  readonly requests: EmbeddingRequest[];
  /** What happens to the next requests. */
  mood: 'answers' | 'fails' | 'hangs' | 'answers too little';
}

const TOPICS = [/boat|harbour|ship|sail/i, /car|drive|vehicle|engine/i, /tree|forest|leaf|wood/i];

/** A server on the loopback that speaks OpenAI's embeddings; what a text is about decides where its vector points. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const key = 'wire-key-0123456789';
  const requests: EmbeddingRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const { model, input } = JSON.parse(await textOf(incoming)) as { model: string; input: string[] };
    requests.push({ key: incoming.headers.authorization, model, texts: input });
    response.setHeader('content-type', 'application/json');
    if (incoming.url !== '/v1/embeddings') return void response.writeHead(404).end('{}');
    if (running.mood === 'hangs') return;
    if (running.mood === 'fails')
      return void response.writeHead(400).end(JSON.stringify({ error: { message: `no, ${key} is spent` } }));
    const told = running.mood === 'answers' ? input : input.slice(1);
    const data = told.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    response.end(
      JSON.stringify({ object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const running: EmbeddingServer = {
    url,
    key,
    env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: url },
    requests,
    mood: 'answers',
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return running;
}

function vectorOf(text: string): number[] {
  return [...TOPICS.map((topic) => (topic.test(text) ? 1 : 0.05)), 0.01];
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
