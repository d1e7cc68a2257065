import { it } from 'vitest';
import { checkLives } from './check-lives.ts';

it('whatever models say, people stop and processes die of, every promise is kept', () => checkLives(50));
