import { useEffect, useId, useState } from 'react';
import { type ResultOf, sayTokens } from '../../src/faces/rpc/client/index.ts';
import { sayModel } from '../app/say-model.ts';
import { server } from '../connection/server.ts';

export type Model = ResultOf<'models/list'>['models'][number];

/**
 * The model that the session is set to, and the one that answers if that is another. The browser's own list: it works by
 * keyboard, by voice and on a telephone.
 */
export function ModelPicker({
  model,
  models,
  answeredBy,
  onChoose,
}: {
  model: string | undefined;
  models: readonly Model[];
  answeredBy: string | undefined;
  onChoose(id: string): void;
}) {
  const chosen = model ?? models.find(({ isDefault }) => isDefault)?.id ?? '';
  const known = models.some(({ id }) => id === chosen);
  const ready = models.filter(({ configured }) => configured);
  // A session that is set to none shows the default, which may be the one that answers.
  const instead = answeredBy === chosen ? undefined : answeredBy;
  const noteId = useId();
  const others = models.filter(({ configured }) => !configured);
  return (
    <div className="model-picker">
      <select
        className="select"
        aria-label="Model"
        aria-describedby={instead === undefined ? undefined : noteId}
        value={chosen}
        onChange={({ target }) => onChoose(target.value)}
      >
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
      {instead !== undefined && (
        <p id={noteId} className="note" title={instead}>
          answers: {sayModel(instead)} instead
        </p>
      )}
    </div>
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
