// An agent whose tools write a line each time they run, and then wait until the stage lets them end.
import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const inputSchema = { type: 'object', properties: { session: { type: 'string' } }, required: ['session'] };

const run =
  (name) =>
  async ({ session }) => {
    const folder = process.env.TURN_TABLE_FOLDER;
    appendFileSync(path.join(folder, `${session}.runs`), `${name}\n`);
    while (!existsSync(path.join(folder, `${session}.go`))) await wait(5);
    return 'done';
  };

export const name = 'Painter';
export const instructions = 'You paint.';
export const tools = {
  look: { description: 'Looks', inputSchema, repeatable: true, execute: run('look') },
  paint: { description: 'Paints', inputSchema, execute: run('paint') },
};
