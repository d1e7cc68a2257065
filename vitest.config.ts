import { configDefaults, defineConfig } from 'vitest/config';

const LONG = 'test/**/*.long.test.ts';

/**
 * Files of pure rooms share a worker and its modules: a separate worker costs a third of a second of computing for each file.
 * Files that spawn processes, change the environment, the clock or globals, or measure loaded modules do not belong here.
 */
const SHARED = [
  'test/record/**/*.test.ts',
  'test/context/**/*.test.ts',
  'test/summary/**/*.test.ts',
  'test/text/**/*.test.ts',
  'test/secrets/**/*.test.ts',
  'test/compaction/{claims,digest,ledger}/**/*.test.ts',
];

// Left alone, the runner keeps one core free; many of these tests wait for a disk or a child and leave it idle anyway.
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            LONG,
            ...SHARED,
            ...(process.env.UPDATE_PICTURES ? [] : ['test/web/pictures.test.ts']),
          ],
          globalSetup: ['test/support/unpack-chromium.ts'],
        },
      },
      { extends: true, test: { name: 'shared', include: SHARED, exclude: [LONG], isolate: false } },
    ],
  },
});
