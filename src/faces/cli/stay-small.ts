import { setFlagsFromString } from 'node:v8';

/**
 * For commands that pass a lot of data through: what they have read is forgotten at once, so the space for young objects need
 * not grow with it. Otherwise it takes over a hundred unused megabytes.
 */
export function staySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Left alone, the engine lets old objects take up to four times the room of those that are in use before it looks for what
 * can go, and more the busier it is. A server that runs for weeks gets a third on top. docs/decisions/0089.
 */
export function keepHeapFlat(): void {
  setFlagsFromString('--heap-growing-percent=30');
}
