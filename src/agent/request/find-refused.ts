import { type Entry, isBlobRef, type Part, type Refused } from '../../record/index.ts';

/** What a provider says it refused: from the details of `model-refused`. */
interface Culprit {
  readonly about?: string;
  readonly item?: { readonly message: number; readonly part?: number };
}

interface Medium {
  readonly about: 'image' | 'document';
  readonly entry: Entry;
  readonly part: number;
  readonly item?: number;
}

/**
 * Which parts of the conversation a refusal is about. What this model has answered to before it has accepted, so only
 * what came after counts, unless nothing there fits. Empty if the refusal cannot be mended by leaving something out.
 */
export function findRefused(entries: readonly Entry[], { about, item }: Culprit, model: string): Refused[] {
  if (about === 'reasoning') {
    const signed = entries.findLast(({ body }) => body.kind === 'message' && body.model === model);
    return signed ? [{ about, model, upTo: signed.seq }] : [];
  }
  if (about !== 'image' && about !== 'document') return [];
  const media = entries.flatMap(mediaIn).filter((medium) => medium.about === about);
  const accepted = entries.findLast(
    ({ body }) => body.kind === 'message' && body.model === model && body.status !== 'interrupted',
  );
  const fresh = media.filter(({ entry }) => entry.seq > (accepted?.seq ?? 0));
  const named = fresh.filter((medium) => medium.item === undefined && medium.part === item?.part);
  const [found] = [named, fresh, media].filter((list) => list.length > 0);
  return (found ?? []).map(({ entry, part, item: place }) => ({
    about,
    model,
    entry: entry.id,
    part,
    ...(place !== undefined && { item: place }),
  }));
}

function mediaIn(entry: Entry): Medium[] {
  const { body } = entry;
  if (body.kind !== 'message') return [];
  return body.parts.flatMap((one, part): Medium[] => {
    const about = kindOf(one);
    if (about) return [{ about, entry, part }];
    return itemsOf(one).flatMap((inner, item): Medium[] => {
      const kind = kindOf(inner);
      return kind ? [{ about: kind, entry, part, item }] : [];
    });
  });
}

function itemsOf({ type, output }: Part): readonly Part[] {
  const { type: form, value } = (output ?? {}) as { type?: unknown; value?: unknown };
  return type === 'tool-result' && form === 'content' && Array.isArray(value) ? value : [];
}

/** A file that was set aside is not sent, so it cannot have been refused. */
function kindOf({ type, mediaType, data, image }: Part): Medium['about'] | undefined {
  if (!/^(?:image|file|media)/.test(type) || isBlobRef(data) || isBlobRef(image)) return undefined;
  return type.startsWith('image') || /^image\b/.test(String(mediaType)) ? 'image' : 'document';
}
