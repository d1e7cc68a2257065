export { searchSessions } from './search-sessions.ts';
