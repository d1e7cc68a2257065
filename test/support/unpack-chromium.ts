import type { TestProject } from 'vitest/node';
import { findChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a Chromium is; empty if this machine has none. */
    chromium: string;
  }
}

/** Once for all test files, before the first of them runs. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('chromium', (await findChromium()) ?? '');
}
