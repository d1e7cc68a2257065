import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/**/*.test.ts'], exclude: ['test/**/*.long.test.ts'], testTimeout: 60_000 },
});
