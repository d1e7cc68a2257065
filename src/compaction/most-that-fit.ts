/** The largest count for which `fits` holds, given that it holds for every smaller one; 0 if for none. */
export function mostThatFit(count: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
