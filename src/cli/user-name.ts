import { userInfo } from 'node:os';

/** The person at the keyboard, by the name of the account. */
export function userName(): string {
  try {
    return userInfo().username || UNNAMED;
  } catch {
    return UNNAMED;
  }
}

/** For an account without a name. */
const UNNAMED = 'a person';
