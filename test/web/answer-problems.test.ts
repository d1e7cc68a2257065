import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSession } from '../../src/index.ts';
import { chooseModel } from '../../src/models/index.ts';
import type { Settings } from '../../src/record/index.ts';
import { setting } from '../../src/testing/index.ts';
import { tempFolder } from '../flows/child.ts';
import { reply } from '../support/wire-script.ts';
import { hasBrowser, openStage, type Stage, type Window } from './stage.ts';

const NOWHERE = 'nowhere:zz-9';

describe.skipIf(!hasBrowser)('the model that answers', () => {
  let stage: Stage;
  let window: Window;
  let count = 0;
  beforeAll(async () => {
    stage = await openStage(() => reply('Here.'), { agents: true });
    window = await stage.open();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  async function openWith(settings: Settings): Promise<string> {
    const id = `answered-${++count}`;
    await (await createSession(stage.store, { id, title: `Answered ${count}`, settings })).close();
    await window.page.evaluate(`location.hash = '#/session/${id}'`);
    await window.page.getByRole('heading', { level: 1, name: `Answered ${count}` }).waitFor();
    return id;
  }
  const notice = (says: string) => window.page.getByRole('status').filter({ hasText: says });
  const picker = () => window.page.getByRole('combobox', { name: 'Model' });
  const instead = () => window.page.getByText(/^answers: .* instead$/);
  const standard = (settings: Settings) => chooseModel({ settings }, { open: { env: stage.model.env } });

  it('is named beside the one that the session is set to, with the reason, until a usable one is chosen', async () => {
    const settings = { model: NOWHERE };
    const { model, problem } = await standard(settings);
    await openWith(settings);
    await notice(problem!).waitFor();
    expect(await notice(problem!).textContent()).toBe(problem);
    expect(await picker().inputValue()).toBe(NOWHERE);
    expect(await instead().textContent()).toBe(`answers: ${model} instead`);
    expect(await picker().getAttribute('aria-describedby')).toBe(await instead().getAttribute('id'));

    const field = window.page.getByLabel('Message', { exact: true });
    await field.fill('Who is there?');
    await field.press('Enter');
    await window.page.locator('.row[data-kind="message"] .row-model').filter({ hasText: model }).waitFor();
    expect(await notice(problem!).count()).toBe(1);

    await picker().selectOption({ label: 'Offline, from what was said' });
    await notice(problem!).waitFor({ state: 'detached' });
    await expect.poll(() => instead().count()).toBe(0);
    expect(window.complaints).toEqual([]);
  });

  it('changes in an open page when another program sets the model', async () => {
    const id = await openWith({});
    const set = async ({ provider, model }: { provider: string; model: string }) =>
      stage.store.append(id, [{ body: setting('provider', provider) }, { body: setting('model', model) }]);
    await picker().selectOption({ label: 'Offline, from what was said' });
    await expect
      .poll(async () => (await stage.store.session(id))!.state.settings.model)
      .toBe('offline:quotes');
    await set({ provider: 'nowhere', model: 'zz-9' });
    await notice(`${NOWHERE} cannot be used`).waitFor();
    await instead().waitFor();
    await set(await standard({}));
    await notice(NOWHERE).waitFor({ state: 'detached' });
    await expect.poll(() => instead().count()).toBe(0);
  });

  it('is the one of the picker where only the agent module is left out, and the notice names the module', async () => {
    using folder = tempFolder();
    const agentPath = folder.file('sally.mjs');
    writeFileSync(agentPath, `export const name = 'Sally'; export const instructions = '';`);
    await openWith({ agentPath });
    await notice(agentPath).waitFor();
    expect(await picker().inputValue()).toBe((await standard({})).id);
    await expect.poll(() => instead().count()).toBe(0);
  });

  it('is all that is said of it in a session without a problem', async () => {
    await openWith({});
    await window.page.locator('.meter-share').filter({ hasText: '%' }).waitFor();
    await expect.poll(() => window.page.locator('.answer-problems').count()).toBe(0);
    await expect.poll(() => instead().count()).toBe(0);
  });
});
