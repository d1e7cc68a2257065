/** Rows by what they were last known to be worth, best first; equal ones in the order of the conversation. */
export class RowHeap {
  readonly #rows: number[];
  readonly #values: number[];

  constructor(worth: Float64Array) {
    this.#rows = Array.from(worth.keys());
    this.#values = Array.from(worth);
    for (let at = (this.size >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  get size(): number {
    return this.#rows.length;
  }

  get best(): number {
    return this.#values[0]!;
  }

  push(row: number, value: number): void {
    this.#rows.push(row);
    this.#values.push(value);
    let at = this.size - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): { row: number; value: number } {
    const [row, value] = [this.#rows[0]!, this.#values[0]!];
    const lastRow = this.#rows.pop()!;
    const lastValue = this.#values.pop()!;
    if (this.size > 0) {
      this.#rows[0] = lastRow;
      this.#values[0] = lastValue;
      this.#sink(0);
    }
    return { row, value };
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const left = at * 2 + 1;
      if (left >= this.size) return;
      const child = left + 1 < this.size && this.#before(left + 1, left) ? left + 1 : left;
      if (!this.#before(child, at)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  #before(a: number, b: number): boolean {
    const difference = this.#values[a]! - this.#values[b]!;
    return difference > 0 || (difference === 0 && this.#rows[a]! < this.#rows[b]!);
  }

  #swap(a: number, b: number): void {
    const [row, value] = [this.#rows[a]!, this.#values[a]!];
    this.#rows[a] = this.#rows[b]!;
    this.#values[a] = this.#values[b]!;
    this.#rows[b] = row;
    this.#values[b] = value;
  }
}
