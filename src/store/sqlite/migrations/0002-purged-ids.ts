/**
 * The ids of purged sessions, and when each was purged. The key is a separate column so that rows of this table look like those
 * of the others to salvaging, which reads a damaged file row by row.
 */
export const purgedIds = `
create table purged (
  key integer primary key,
  id text not null unique,
  at integer not null
) strict;
`;
