import { it } from 'vitest';
import { checkAnyConversation, checkAnyRequest } from './any-request.ts';

it('a request is never over its budget, whatever it is made of', () => checkAnyRequest(1500), 600_000);

it(
  'a request holds every pin, no excluded message, and says of each other message whether it is shown',
  () => checkAnyConversation(1500),
  600_000,
);
