import type { Row } from './measure.ts';
import { benchIndexing } from './recall-indexing.ts';
import { benchQuality, type QualityOptions } from './recall-quality.ts';

/** What is found, and what it costs to keep it findable. The million messages are a table of their own. */
export async function benchRecall(options: QualityOptions = {}): Promise<Row[]> {
  return [...(await benchQuality(options)), ...(await benchIndexing())];
}

export { benchRecallMillion } from './recall-million.ts';
