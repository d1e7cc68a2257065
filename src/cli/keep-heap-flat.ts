import { setFlagsFromString } from 'node:v8';

/**
 * Left alone, the engine lets old objects take up to four times the room of those that are in use before it looks for what
 * can go, and more the busier it is. A server that runs for weeks gets a third on top. docs/decisions/0089.
 */
export function keepHeapFlat(): void {
  setFlagsFromString('--heap-growing-percent=30');
}
