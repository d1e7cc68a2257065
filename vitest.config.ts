import { configDefaults, defineConfig } from 'vitest/config';
import { SHARED_WORKERS } from './test/support/shared-workers.ts';

const LONG = 'test/**/*.long.test.ts';

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
            ...SHARED_WORKERS,
            ...(process.env.UPDATE_PICTURES ? [] : ['test/web/pictures.test.ts']),
          ],
          globalSetup: ['test/support/unpack-chromium.ts'],
        },
      },
      { extends: true, test: { name: 'shared', include: SHARED_WORKERS, exclude: [LONG], isolate: false } },
    ],
  },
});
