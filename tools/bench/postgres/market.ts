/** Number of pools of the ingested market. */
export const POOLS = 10;

/** The first minute (Unix seconds), in February 2023. */
export const FIRST = 28_000_000 * 60;

const linesInPart = 1000;

/** The lines of a market of ten pools, minute after minute, in parts as a file is read. */
export async function* marketLines(observations: number): AsyncGenerator<string> {
  for (let id = 1; id <= POOLS; id++) yield `{"type":"pool","generation":"v2","id":${id}}\n`;
  for (let id = 1; id <= POOLS; id++) yield `{"type":"pool","generation":"v1","id":${id}}\n`;
  let lines: string[] = [];
  for (let n = 0; n < observations; n++) {
    const minute = FIRST / 60 + Math.floor(n / POOLS);
    const price = 0.05 + 0.01 * Math.sin(n / 700);
    const id = 1 + (n % POOLS);
    lines.push(
      `{"type":"observation","generation":"${id % 2 === 0 ? 'v1' : 'v2'}","pool":${id},"time":${minute * 60},"price":${price},"volume":"${n}","volumeUsd":"12.5","liquidity":"9668737245792","liquidityUsd":"4653.53"}\n`,
    );
    if (lines.length === linesInPart) {
      yield lines.join('');
      lines = [];
    }
  }
  yield lines.join('');
}
