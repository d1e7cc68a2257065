// Fills a small disk, searches through every face, and prints the code that each answers; then makes room again.
import { execFile } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { isThroughlineError } from '../../src/errors.ts';
import { createHttpClient, createRpcServer } from '../../src/faces/rpc/index.ts';
import { openRecall, openStore } from '../../src/index.ts';
import { user } from '../../src/testing/index.ts';
import { connect } from '../faces/mcp/client.ts';

const [file] = process.argv.slice(2) as [string];
const folder = path.dirname(file);
const main = path.resolve('dist/faces/cli/main.js');
const say = (fact: string, value: unknown) => writeSync(1, `${fact} ${JSON.stringify(value)}\n`);

function commandLine(): Promise<string> {
  return new Promise((resolve) => {
    const args = [main, 'search', 'heron', '--store', file, '--json'];
    const env = { PATH: process.env.PATH ?? '', HOME: folder };
    execFile(process.execPath, args, { env }, (_error, stdout, stderr) => {
      const found = /"code":\s*"([^"]+)"/.exec(stderr + stdout);
      resolve(found?.[1] ?? stdout + stderr);
    });
  });
}

async function library(): Promise<string> {
  try {
    await using recall = await openRecall(store);
    await recall.catchUp();
    return `${(await recall.search('heron')).length} hits`;
  } catch (error) {
    return isThroughlineError(error) ? error.code : String(error);
  }
}

const store = await openStore(file);
const words = Array.from({ length: 400 }, (_, n) => `heron${n} word${n} ${n}`).join(' ');
await store.create({ id: 's' }, [{ body: user(`the heron ${words}`) }]);
const ballast = path.join(folder, 'ballast');
const { bavail, bsize } = statfsSync(folder);
writeFileSync(ballast, Buffer.alloc(Math.max(0, (bavail - 2) * bsize)));

say('library', await library());
{
  await using server = await createRpcServer({ store, env: {} });
  const client = createHttpClient({ url: server.url, token: server.token! });
  const asked = client.call('search', { query: 'heron' });
  say(
    'rpc',
    await asked.then(
      () => 'hits',
      (error) => error.code,
    ),
  );
  client.close();
}
say('cli', await commandLine());
{
  await using agent = await connect({ storeFile: file, folder, home: folder } as Parameters<
    typeof connect
  >[0]);
  say('mcp', (await agent.fail('search', { query: 'heron' })).code);
}
rmSync(ballast);
say('after', await library());
await store[Symbol.asyncDispose]();
