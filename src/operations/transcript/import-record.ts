import { z } from 'zod';

/** Counts of one session of an imported file, new or not. */
export const ImportRecord = z.strictObject({
  id: z.string().describe('The session that holds the end of the file.'),
  format: z.string(),
  file: z.string(),
  messages: z.int(),
  toolPairs: z.int().describe('Tool calls that have their result.'),
  compactions: z.int(),
  branches: z.int().describe('Forks, for branches of the conversation in the file.'),
  unknownKept: z.int().describe('Lines of an unknown type; they are kept as they are.'),
  damage: z.int().describe('Places where the file is broken.'),
  damageKinds: z.record(z.string(), z.int().optional()),
  added: z.int().describe('Entries that were not in the store before.'),
  settingsLeftOut: z
    .record(z.string(), z.int())
    .optional()
    .describe('Settings that act on this machine and were left out, by name. Not there if there are none.'),
  purged: z.literal(true).optional().describe('The session was purged, so nothing of it was imported.'),
});
