export { FilterFields } from './filter-fields.ts';
export { type SearchHit, searchSessions } from './search-sessions.ts';
