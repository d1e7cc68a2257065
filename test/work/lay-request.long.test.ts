import { it } from 'vitest';
import { checkAnyRequest } from './any-request.ts';

it('a request is never over its budget, whatever it is made of', () => checkAnyRequest(1500), 600_000);
