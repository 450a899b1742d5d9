import { rules as law } from '@candleproof/law/rules/catalogue';
import type { Indicator, ProbeFailure } from '../results/probe-record.ts';
import type { NoticeKind } from './cause.ts';

/** Says what to do about a notice; those that are absent have it in their own words. */
export const noticeAdvice: Partial<Record<NoticeKind, string>> = {
  coverage: "mend what is named: the key, its quota, or the monitor's own host, network and database",
  clock: 'ask those whose clock is wrong to set it by NTP',
  restatement: 'fetch the changed candles again, and ask those who run the API why closed ones change',
  retries: 'ask those who run the API: clients that do not try again see each of these failures',
  'network-reset': 'fetch all candles again, and drop what was kept of the network before',
  'foreign-use': 'find out who else has the key, or declare it as shared',
  'double-charge': 'ask those who run the API why a request costs more than one',
  counters: 'compare the bill with what candleproof plan counts, and ask those who run the API',
  'reset-moved': 'ask those who run the API when the month ends: the quota is planned up to its reset',
  vanished: 'ask those who run the API whether these tokens were taken off',
  'limit-changed': 'see by candleproof plan what the new limit pays for',
};

/** Returns one line that says what to do about a failure: for a broken rule, what it means to those who read candles. */
export function advise(indicator: Indicator, failure: ProbeFailure | undefined): string {
  if (failure?.phase === 'contract') {
    const why = law.find(({ id }) => id === failure.class)?.why;
    return `send the exchange to those who run the API${why === undefined ? '' : `; until it is mended: ${why}`}`;
  }
  if (failure === undefined || indicator === 'latency' || indicator === 'freshness')
    return 'compare with another location, and ask those who run the API';
  if (failure.phase === 'status') return `ask those who run the API for the cause of status ${failure.class}`;
  return phaseAdvice[failure.phase] ?? 'try the exchange from another network, and ask those who run the API';
}

const phaseAdvice: Partial<Record<ProbeFailure['phase'], string>> = {
  dns: 'look the name up at another resolver; if that fails too, ask those who run the name',
  connect: 'try to connect from another network; if that fails too, the API is down or closed to all',
  tls: 'look at the served certificate with openssl s_client, and ask those who run the API',
};
