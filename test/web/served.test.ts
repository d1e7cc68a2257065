import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { hasBrowser } from './stage.ts';

describe.skipIf(!hasBrowser)('throughline serve', () => {
  let folder: string;
  let program: ChildProcess;
  let browser: Browser;
  let address = '';
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'throughline-served-'));
    const words = [
      'bin/throughline.mjs',
      'serve',
      '--port',
      '0',
      '--store',
      path.join(folder, 'sessions.db'),
    ];
    program = spawn(process.execPath, words, {
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    browser = await launchChromium(inject('chromium'));
    for await (const chunk of program.stdout!) {
      address += chunk;
      if (/#token=\S+\s/.test(address)) break;
    }
  });
  afterAll(async () => {
    await browser?.close();
    if (program?.exitCode === null) {
      program.kill('SIGTERM');
      await once(program, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('prints one line with the address, and the app is there without a key and without a build', async () => {
    const url = /http:\/\/\S+#token=\S+/.exec(address)![0];
    expect(address.trim().split('\n')).toHaveLength(1);
    const page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(url);
    await page.getByText('No sessions yet.').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'New session' }).click();
    await page.getByLabel('Message', { exact: true }).fill('The limiter is a token bucket.');
    await page.getByLabel('Message', { exact: true }).press('Enter');
    await page.locator('.row-model').filter({ hasText: 'offline' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'The limiter is a token bucket.' }).waitFor();
    const listed = page.getByRole('link', { name: /The limiter is a token bucket/ });
    await listed.first().waitFor();
    expect(await listed.count()).toBe(1);
    // As a chat in the folder would have it.
    await listed
      .first()
      .locator('.session-project', { hasText: path.basename(process.cwd()) })
      .waitFor();
  });
});
