import { asSchema, jsonSchema, tool } from 'ai';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { offerTools } from '../../src/agent/tools/offer-tools.ts';

const { shape } = fc.letrec<{ shape: z.ZodType; object: z.ZodObject }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'shape' },
    fc.constantFrom<z.ZodType>(
      z.string().min(1).describe('A word.'),
      z.int().max(9),
      z.enum(['a', 'b']),
      z.unknown(),
      z.boolean().default(true),
      z.strictObject({}),
    ),
    tie('object'),
    tie('shape').map((one) => z.array(one)),
    tie('shape').map((one) => one.optional()),
    tie('shape').map((one) => z.record(z.string(), one)),
    fc.tuple(tie('shape'), tie('shape')).map((both) => z.union(both)),
    fc.tuple(tie('shape'), tie('shape')).map((both) => z.tuple(both)),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('shape')),
      fc.constantFrom(z.object, z.strictObject, z.looseObject),
    )
    .map(([fields, make]) => make(fields) as z.ZodObject),
}));

describe('the tools that a model is offered', () => {
  it('are described to the byte as the AI SDK would describe their zod schemas', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom('x', 'y', 'z'), shape), async (fields) => {
        const inputSchema = z.object(fields);
        const { listed } = await offerTools({ it: { description: 'Does it.', inputSchema } });
        const [{ inputSchema: described } = {}] = listed;
        expect(JSON.stringify(described)).toBe(JSON.stringify(await asSchema(inputSchema).jsonSchema));
      }),
    );
  });

  it('reach the AI SDK as they were counted', async () => {
    const tools = {
      zod: tool({ description: 'Zod.', inputSchema: z.object({ a: z.string() }), execute: () => 1 }),
      json: { inputSchema: { type: 'object', properties: { a: { type: 'number' } } } },
      sdk: { inputSchema: jsonSchema({ type: 'object', properties: {} }) },
      lazy: { inputSchema: () => jsonSchema({ type: 'object' }) },
      none: { inputSchema: undefined },
    };
    const offered = await offerTools(tools);
    const set = await offered.set();
    const sent = Object.entries(set).map(async ([name, { description, inputSchema }]) => ({
      name,
      ...(description !== undefined && { description }),
      inputSchema: await asSchema(inputSchema).jsonSchema,
    }));
    expect(await Promise.all(sent)).toEqual(offered.listed);
  });

  it('are counted without loading the AI SDK', async () => {
    vi.doMock('ai', () => {
      throw new Error('The AI SDK was loaded.');
    });
    try {
      const own = z.object({ question: z.string() });
      const { listed } = await offerTools({ own: { inputSchema: own }, none: { inputSchema: null } });
      expect(listed.map(({ name }) => name)).toEqual(['own', 'none']);
      await expect(offerTools({ lazy: { inputSchema: () => own } })).rejects.toThrow();
    } finally {
      vi.doUnmock('ai');
    }
  });
});
