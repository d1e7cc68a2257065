import { it } from 'vitest';
import { askUsers } from './ask-users.ts';

const PATIENCE = 600_000;

it(
  'a server answers every one of 1,000 requests at once, each in the session of its user',
  () => askUsers({ processes: 1, clients: 50, atOnce: 20, users: 10 }),
  PATIENCE,
);

it(
  'a server in two processes answers every request, each in the session of its user',
  () => askUsers({ processes: 2, clients: 10, atOnce: 20, users: 10 }),
  PATIENCE,
);
