import { it } from 'vitest';
import { askUsers } from './ask-users.ts';

it.each([1, 2, 3])(
  'a server in %i processes answers 1,000 requests at once, each in its user’s session',
  (processes) => askUsers({ processes, clients: 50, atOnce: 20, users: 10 }),
);
