import { type BlobRef, type Entry, type EntryId, isRef, type Part } from '../../record/index.ts';
import { type ContextPiece, countAs, countedAs, itemsOf, withParts } from '../piece.ts';
import { ANY_ID } from './label-text.ts';
import { base64, plainBytesOf, plainValue } from './plain-value.ts';

export function isImage({ type, mediaType }: Part): boolean {
  return type.startsWith('image') || (typeof mediaType === 'string' && /^image\b/.test(mediaType));
}

/** A part that can be sent, or a line of text when its bytes are not here. The same part if nothing had to change. */
export function renderMedia(part: Part, entry: Entry): Part {
  const field = part.type === 'image' ? 'image' : 'data';
  if (!(field in part)) return plainValue(part, entry) as Part;
  const data = sendable(part[field]);
  if (data === undefined) return placeholder(part, entry);
  const mediaType =
    typeof part.mediaType === 'string' || part.type === 'image' ? part.mediaType : 'application/octet-stream';
  if (data === part[field] && mediaType === part.mediaType) return part;
  return { ...part, [field]: data, ...(mediaType !== undefined && { mediaType }) };
}

/** What stands in a request for a file that is not sent. */
export function placeholder(part: Part, { id }: Entry): Part {
  const ref = refIn(part);
  const facts = [
    isImage(part) ? 'image' : 'file',
    ...(ref?.width && ref.height ? [`${ref.width}×${ref.height}`] : []),
    ...(typeof part.mediaType === 'string' ? [part.mediaType.toWellFormed()] : []),
    ...(typeof part.filename === 'string' ? [JSON.stringify(part.filename.toWellFormed())] : []),
    ...(ref ? [`${ref.bytes} bytes`] : []),
  ];
  const naming = (entry: EntryId): Part => ({
    type: 'text',
    text: `[Not sent: ${facts.join(', ')}. Entry ${entry} has it.]`,
  });
  return countAs(naming(id), naming(ANY_ID));
}

/** The data as the AI SDK takes it, or `undefined` if it is not here or makes no sense. */
function sendable(data: unknown): unknown {
  if (typeof data === 'string') return data === '' ? undefined : data;
  if (typeof data !== 'object' || data === null || isRef(data)) return undefined;
  const bytes = plainBytesOf(data);
  if (bytes) return base64(bytes);
  if (data instanceof URL) return data;
  const tagged = data as { readonly type?: unknown; readonly [field: string]: unknown };
  switch (tagged.type) {
    case 'data': {
      const inner = sendable(tagged.data);
      return typeof inner !== 'string'
        ? undefined
        : inner === tagged.data
          ? data
          : { ...tagged, data: inner };
    }
    case 'url':
      if (tagged.url instanceof URL) return data;
      return typeof tagged.url === 'string' && URL.canParse(tagged.url)
        ? { ...tagged, url: new URL(tagged.url) }
        : undefined;
    case 'text':
      return typeof tagged.text === 'string' && tagged.text.trim() !== ''
        ? { ...tagged, text: tagged.text.toWellFormed() }
        : undefined;
    case 'reference':
      return isReference(tagged.reference) ? data : undefined;
    default:
      return isReference(data) ? data : undefined;
  }
}

/** A file that was uploaded to providers: the id it has at each. */
function isReference(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length > 0 &&
    Object.values(value).every((id) => typeof id === 'string' && id.isWellFormed())
  );
}

function refIn(part: Part): BlobRef | undefined {
  const data = part.image ?? part.data;
  if (isRef(data)) return data;
  const inner = (data as { data?: unknown } | null | undefined)?.data;
  return isRef(inner) ? inner : undefined;
}

/** The piece with lines of text in place of some of its images and files. */
export function withoutMedia(piece: ContextPiece, gone: ReadonlySet<Part>): ContextPiece {
  const parts = piece.parts.map((part, index) => {
    const source = piece.sources[index];
    if (!source) return part;
    if (gone.has(part)) return placeholder(part, source);
    if (!itemsOf(part).some((item) => gone.has(item))) return part;
    const isGone = itemsOf(part).map((item) => gone.has(item));
    const naming = (whole: Part, entry: Entry): Part => {
      const value = itemsOf(whole).map((item, at) => (isGone[at] ? placeholder(item, entry) : item));
      return { ...whole, output: { ...(whole.output as object), value } };
    };
    return countAs(naming(part, source), naming(countedAs(part), { ...source, id: ANY_ID }));
  });
  return parts.every((part, index) => part === piece.parts[index]) ? piece : withParts(piece, parts);
}
