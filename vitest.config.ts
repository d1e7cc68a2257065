import { defineConfig } from 'vitest/config';

// Left alone, the runner keeps one core free; many of these tests wait for a disk or a child and leave it idle anyway.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/**/*.long.test.ts',
      ...(process.env.UPDATE_PICTURES ? [] : ['test/web/pictures.test.ts']),
    ],
    globalSetup: ['test/support/unpack-chromium.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: '100%',
  },
});
