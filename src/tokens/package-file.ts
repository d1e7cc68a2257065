import { existsSync } from 'node:fs';

/** A file that ships with the package. Looked for upwards, because sources and built files lie at different depths. */
export function packageFile(name: string): URL {
  let folder = new URL('..', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('..', folder);
  return new URL(name, folder);
}
