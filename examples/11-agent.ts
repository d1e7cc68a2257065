// Opens an agent on a session: model, system prompt, project memory, recall, compaction and recovery in one call. What it
// foretells is what it sends.
import assert from 'node:assert/strict';
import { createMemoryStore, createSession, openAgent } from 'throughline';

await using store = createMemoryStore();
await using session = await createSession(store, {
  title: 'Ports',
  // Another program named a model that nothing here can reach: the default answers, and says so.
  settings: { model: 'some-provider:some-model', systemPrompt: 'Answer in one sentence.' },
});

await using agent = await openAgent(session, { openModel: { env: {} } });
assert.equal(agent.model.id, 'offline:quotes');
assert.match(agent.model.problem!, /some-provider:some-model cannot be used/);

await agent.send('The proxy listens on port 8443.');
const question = 'Which port does the proxy listen on?';
const foretold = await agent.context({ question });
const { text, input } = await agent.send(question);
assert.match(text, /8443/);

const sent = await agent.context({ at: input.seq });
assert.equal(sent.sent?.exact, true);
assert.deepEqual(sent.context.messages, foretold.context.messages);
assert.match(sent.context.instructions, /Answer in one sentence\./);
console.log(`${agent.model.id} answered with ${sent.context.tokens} tokens, as foretold:\n${text}`);
