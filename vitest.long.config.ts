import { defineConfig } from 'vitest/config';

// The sweeps: many kills, many processes, many sessions. Minutes, not seconds.
export default defineConfig({
  test: { include: ['test/**/*.long.test.ts'], testTimeout: 1_200_000, fileParallelism: false },
});
