import { z } from 'zod';
import type { Machine } from '../app.ts';
import { operation } from '../operation.ts';

export const listAgentHomes = operation({
  name: 'transcript/homes',
  summary:
    'The places where other agents keep their sessions on this machine, with the number of files in each.',
  params: z.strictObject({}),
  result: z.strictObject({
    homes: z.array(z.strictObject({ agent: z.string(), path: z.string(), files: z.int() })),
  }),
  faces: { cli: {} },
  async run(_, _machine: Machine) {
    const { findAgentHomes, findFiles } = await import('../../transcripts/index.ts');
    const counted = findAgentHomes().map(async (home) => {
      let files = 0;
      for await (const _file of findFiles([home.path])) files++;
      return { ...home, files };
    });
    const homes = await Promise.all(counted);
    return { homes: homes.filter(({ files }) => files > 0) };
  },
});
