import type { Need } from '../../contract/rule.ts';
import type { OperationId } from '../../contract/verdict.ts';

const names: Readonly<Record<OperationId, string>> = {
  listTokens: 'token list',
  listV2PoolCandles: 'history',
  getLatestV1PoolCandle: 'latest',
};

/** What a rule looks at, and how many requests that is for one pool of each generation. */
export function evidenceText(needs: readonly Need[]): string {
  const drawn = needs.filter((each) => each.errorCase !== undefined);
  const listed = [...new Set(needs.filter((each) => !drawn.includes(each)).map(needText))];
  const count = `${requestsFor(needs)} request${requestsFor(needs) === 1 ? '' : 's'}`;
  const cases = drawn.length > 0 ? [`faulty requests (${[...new Set(drawn.map(caseText))].join(', ')})`] : [];
  const most = drawn.length > 0 || needs.some((each) => each.thoroughly) ? 'at most ' : '';
  return `${most}${count}: ${[...listed, ...cases].join('; ')}`;
}

/** Equal needs are one request, and with one pool of each generation "each pool" is that one. */
export function requestsFor(needs: readonly Need[]): number {
  return new Set(needs.map(({ everyPool: _, ...own }) => JSON.stringify(Object.entries(own).sort()))).size;
}

function caseText({ errorCase }: Need): string {
  return String(errorCase).replaceAll('-', ' ');
}

/** Whatever further fields a need has are told by their names. */
function needText({ operation, interval, range, inverted, everyPool, ...rest }: Need): string {
  const details = [
    ...(inverted === undefined ? [] : [inverted ? 'inverted' : 'inverted=false']),
    ...Object.entries(rest).map(([name, value]) =>
      value === true ? inWords(name) : `${inWords(name)} ${inWords(value)}`,
    ),
    ...(everyPool ? ['each pool'] : []),
  ];
  return [
    [names[operation], interval, range].filter((each) => each !== undefined).join(' '),
    ...details,
  ].join(', ');
}

function inWords(name: unknown): string {
  const text = typeof name === 'string' ? name : JSON.stringify(name);
  return text
    .replaceAll('-', ' ')
    .replace(/[a-z][A-Z]/g, ([low = '', high = '']) => `${low} ${high.toLowerCase()}`);
}
