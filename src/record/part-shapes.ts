import { z } from 'zod';
import { BlobRef } from './blob-ref.ts';
import type { Part } from './message.ts';

// What the parts of a message look like when programs of today write them. Nothing is refused by these: a part of any other
// type, and any other field, is kept as it came. They are for the documents, and for clients that want to know.

const Reference = BlobRef.loose()
  .describe(
    'Stands for a value of more than 32,768 characters, and for bytes. `preview` has the beginning of a text; `chat/message/get` gives the value whole.',
  )
  .meta({ id: 'BlobRef' });

const text = z.union([z.string(), Reference]);
/** A value, or what stands for a large one. */
const value = z.union([z.unknown(), Reference]).describe('Any JSON value, or a BlobRef for a large one.');
const call = {
  toolCallId: z.string().describe('The same in the call and in its result.'),
  toolName: z.string(),
};
const providerOptions = z
  .unknown()
  .optional()
  .describe('What a provider wants back with the part, such as a signature.');

const ToolOutput = z
  .union([
    z.looseObject({ type: z.enum(['text', 'error-text']), value: text }),
    z.looseObject({ type: z.enum(['json', 'error-json']), value }),
    z.looseObject({ type: z.literal('execution-denied'), reason: z.string().optional() }),
    z.looseObject({ type: z.literal('content'), value }),
    z.looseObject({ type: z.string() }),
  ])
  .meta({ id: 'ToolOutput' });

const shape = <Shape extends z.ZodObject>(id: string, schema: Shape) => schema.meta({ id });

/** By type. */
export const PART_SHAPES = {
  text: shape('TextPart', z.looseObject({ type: z.literal('text'), text, providerOptions })),
  reasoning: shape(
    'ReasoningPart',
    z.looseObject({
      type: z.literal('reasoning'),
      text: text.describe('Sent back to the model that wrote it, and to no other.'),
      providerOptions,
    }),
  ),
  file: shape(
    'FilePart',
    z.looseObject({
      type: z.literal('file'),
      data: value.describe('Base64, an address, or a BlobRef.'),
      mediaType: z.string(),
      filename: z.string().optional(),
      providerOptions,
    }),
  ),
  image: shape(
    'ImagePart',
    z.looseObject({
      type: z.literal('image'),
      image: value.describe('Base64, an address, or a BlobRef with `width` and `height`.'),
      mediaType: z.string().optional(),
      providerOptions,
    }),
  ),
  'tool-call': shape(
    'ToolCallPart',
    z.looseObject({
      type: z.literal('tool-call'),
      ...call,
      input: value,
      providerExecuted: z
        .boolean()
        .optional()
        .describe('The provider ran it, and its result stands beside it.'),
      providerOptions,
    }),
  ),
  'tool-result': shape(
    'ToolResultPart',
    z.looseObject({ type: z.literal('tool-result'), ...call, output: ToolOutput, providerOptions }),
  ),
} as const;

const OtherPart = z
  .looseObject({ type: z.string().describe('Any other type: kept as it came.') })
  .meta({ id: 'OtherPart' });

/** One part of a message, of a known type or of any other. */
export const PartShape: z.ZodType<{ type: string; [field: string]: unknown }> = z
  .union([...Object.values(PART_SHAPES), OtherPart])
  .meta({ id: 'Part' });

/** The fields of a part of a known type, such as `PartOf<'tool-call'>`. */
export type PartOf<Type extends keyof typeof PART_SHAPES> = Part & z.infer<(typeof PART_SHAPES)[Type]>;

/**
 * True for a part of this type that has the fields of its type. Logs keep parts as they came, so `type` alone promises nothing
 * about the rest.
 */
export function isPart<Type extends keyof typeof PART_SHAPES>(part: Part, type: Type): part is PartOf<Type> {
  return part.type === type && PART_SHAPES[type].safeParse(part).success;
}
