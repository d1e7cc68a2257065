/** Numbers for word hashes: 0, 1, 2 … in the order they are first seen. Open addressing over plain integers. */
interface WordTable {
  readonly size: number;
  idOf(hash: number): number;
  /** Like `idOf`, but -1 for a word that was never seen. */
  find(hash: number): number;
}

export function createWordTable(): WordTable {
  let mask = (1 << 12) - 1;
  let hashes = new Int32Array(mask + 1);
  let ids = new Int32Array(mask + 1);
  let size = 0;

  const slotOf = (hash: number): number => {
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (hashes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  };
  const grow = () => {
    const [oldHashes, oldIds] = [hashes, ids];
    mask = mask * 2 + 1;
    hashes = new Int32Array(mask + 1);
    ids = new Int32Array(mask + 1);
    for (let index = 0; index < oldHashes.length; index++) {
      if (oldHashes[index] === 0) continue;
      const slot = slotOf(oldHashes[index]!);
      hashes[slot] = oldHashes[index]!;
      ids[slot] = oldIds[index]!;
    }
  };

  return {
    get size() {
      return size;
    },
    find(hash) {
      const slot = slotOf(hash);
      return hashes[slot] === 0 ? -1 : ids[slot]!;
    },
    idOf(hash) {
      const slot = slotOf(hash);
      if (hashes[slot] !== 0) return ids[slot]!;
      hashes[slot] = hash;
      ids[slot] = size;
      if (++size * 2 > mask) grow();
      return size - 1;
    },
  };
}

/** A list of integers that grows in place; `values` is only good until the next push. */
export class Integers {
  values = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  /** Grows with zeros up to `index`, so that it can be used as a table. */
  reach(index: number): void {
    while (this.length <= index) this.push(0);
  }
}
