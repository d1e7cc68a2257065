import { useEffect, useState } from 'react';
import type { ResultOf } from '../../src/rpc/client/index.ts';
import { sayTokens } from '../app/say-amounts.ts';
import { server } from '../connection/server.ts';

export type Model = ResultOf<'models/list'>['models'][number];

/** Which model answers here. The browser's own list: it works by keyboard, by voice and on a telephone. */
export function ModelPicker({
  model,
  models,
  onChoose,
}: {
  model: string | undefined;
  models: readonly Model[];
  onChoose(id: string): void;
}) {
  const chosen = model ?? models.find(({ isDefault }) => isDefault)?.id ?? '';
  const known = models.some(({ id }) => id === chosen);
  const ready = models.filter(({ configured }) => configured);
  const others = models.filter(({ configured }) => !configured);
  return (
    <label className="model-picker">
      <span className="out-of-sight">Model</span>
      <select className="select" value={chosen} onChange={({ target }) => onChoose(target.value)}>
        {!known && chosen !== '' && <option value={chosen}>{chosen}</option>}
        {ready.map((each) => (
          <option key={each.id} value={each.id}>
            {nameModel(each)}
          </option>
        ))}
        {others.length > 0 && (
          <optgroup label="Not set up on this server">
            {others.map((each) => (
              <option key={each.id} value={each.id} disabled>
                {nameModel(each)}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </label>
  );
}

function nameModel({ provider, label, model, window }: Model): string {
  if (provider === 'offline') return 'Offline, from what was said';
  return `${label} · ${model} · ${sayTokens(window)}`;
}

export function useModels(): readonly Model[] {
  const [models, setModels] = useState<readonly Model[]>([]);
  useEffect(() => {
    server.call('models/list').then(
      ({ models: all }) => setModels(all),
      () => {},
    );
  }, []);
  return models;
}
