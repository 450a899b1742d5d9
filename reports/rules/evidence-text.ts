import type { OperationRole } from '@candleproof/document/spec/roles';
import type { Need } from '@candleproof/law/rules/rule';

const names: Readonly<Record<OperationRole, string>> = {
  tokens: 'token list',
  history: 'history',
  latest: 'latest',
};

/** More kinds of faulty requests than these are counted, not listed. */
const mostCases = 6;

/** Formats the evidence that a rule needs, and its requests for one pool of each generation. */
export function formatEvidence(needs: readonly Need[]): string {
  const requests = countRequests(needs);
  const cases = joinNames(needs.map((need) => need.errorCase));
  const trials = joinNames(needs.map((need) => need.trial));
  const plain = needs.filter((need) => need.errorCase === undefined && need.trial === undefined);
  const listed = [
    ...plain.filter((need) => need.pools === 'each' || !isCovered(need, plain)).map(needText),
    ...(trials.length > 0 ? [`trials of the key (${trials.join(', ')})`] : []),
    ...(cases.length > mostCases ? [`${cases.length} kinds of faulty requests`] : []),
    ...(cases.length > 0 && cases.length <= mostCases ? [`faulty requests (${cases.join(', ')})`] : []),
  ];
  const most = cases.length + trials.length > 0 ? 'at most ' : '';
  return `${most}${requests} request${requests === 1 ? '' : 's'}: ${[...new Set(listed)].join('; ')}`;
}

function joinNames(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined))].map((name) => name.replaceAll('-', ' '));
}

/** Returns whether another need requests the same from each pool. */
function isCovered(need: Need, needs: readonly Need[]): boolean {
  return needs.some((other) => other.pools === 'each' && countRequests([need, other]) === 1);
}

/** Counts requests: equal needs share one, and with one pool of each generation "each pool" is that pool. */
export function countRequests(needs: readonly Need[]): number {
  const texts = needs
    .filter(({ pools }) => pools !== 'last')
    .map(({ pools: _, orElse: __, ...rest }) => JSON.stringify(Object.entries(rest).sort()));
  return new Set(texts).size;
}

/** Words a need; its remaining fields are listed by name. */
function needText({ role, interval, range, inverted, pools, orElse: _, ...rest }: Need): string {
  const details = [
    ...(inverted === undefined ? [] : [inverted ? 'inverted' : 'inverted=false']),
    ...Object.entries(rest).map(([name, value]) =>
      value === true ? formatName(name) : `${formatName(name)} ${formatName(value)}`,
    ),
    ...(pools ? [`${pools} pool`] : []),
  ];
  const requested = [names[role], interval, range].filter((part) => part !== undefined).join(' ');
  return [requested, ...details].join(', ');
}

function formatName(name: unknown): string {
  const text = typeof name === 'string' ? name : JSON.stringify(name);
  return text
    .replaceAll('-', ' ')
    .replace(/[a-z][A-Z]/g, ([low = '', high = '']) => `${low} ${high.toLowerCase()}`);
}
