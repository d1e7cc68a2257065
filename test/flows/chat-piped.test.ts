import { expect, it } from 'vitest';
import { startWireServer } from '../support/wire-server.ts';
import { obligingModel } from './chat-model.ts';
import { createChatPlace, idIn } from './chat-place.ts';

it.each([
  '  padded on both sides  ',
  'one\u2028line\u2029of three',
  'a lone \r return',
  '\ttab and é \ufeff',
])('a piped line is sent to the byte as context foretells it: %j', async (question) => {
  using place = createChatPlace();
  await using server = await startWireServer('openai-chat', obligingModel());
  const { env } = server;
  const id = idIn(await place.talk(['Hello', 'exit'], { env }));
  const { stdout } = await place.run(['context', id, '--question', question, '--json'], { env });
  const foretold = JSON.parse(stdout).messages.at(-1).content;
  const before = server.requests.length;
  await place.run(['chat', '--continue', id], { env, input: `${question}\r\nexit\n` });
  const asked = server.requests.slice(before).filter(({ streaming }) => streaming);
  expect(asked.map(({ body }) => body.messages.at(-1).content)).toEqual([question]);
  expect(JSON.stringify(foretold)).toContain(JSON.stringify(question));
});
