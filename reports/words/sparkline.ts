const heights = '▁▂▃▄▅▆▇█';

/** Draws values as one line of blocks of different heights, at most `width` of them, with the least and the greatest. */
export function sparkline(values: readonly number[], width: number): string {
  const finite = values.filter(Number.isFinite);
  const [least, most] = [Math.min(...finite.slice(0, mostDrawn)), Math.max(...finite.slice(0, mostDrawn))];
  const columns = Math.min(width, finite.length);
  const blocks = Array.from({ length: columns }, (_, at) => {
    const value = finite[Math.floor((at * finite.length) / columns)] ?? least;
    const share = most > least ? Math.min(1, Math.max(0, (value - least) / (most - least))) : 0.5;
    return heights[Math.min(heights.length - 1, Math.floor(share * heights.length))];
  });
  return columns === 0 ? '' : `${blocks.join('')}  ${least} to ${most}`;
}

/** Values whose least and greatest are searched; no answer has more. */
const mostDrawn = 100_000;
