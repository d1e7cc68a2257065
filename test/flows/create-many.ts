// Starts many sessions in one second, by agents whose names are the start of one another, and purges some at once.
import { createSession, openStore } from 'throughline';

const [file, count] = process.argv.slice(2) as [string, string];
const store = await openStore(file);
const agents = ['sally', 'sally b', 'sally_20251230', undefined];
await Promise.all(
  Array.from({ length: Number(count) }, async (_, n) => {
    const agent = agents[n % agents.length];
    const birth = agent === undefined ? {} : { agent };
    const session = await createSession(store, birth, { now: () => Date.UTC(2025, 11, 30, 11, 21, 53) });
    await session.close();
    if (n % 5 === 0) await store.purge(session.id);
    console.log(session.id);
  }),
);
await store[Symbol.asyncDispose]();
