import type { EventRecord } from '../results/results-store.ts';
import type { CountedEvent } from './cause.ts';
import { listNames } from './words.ts';

/**
 * Returns what happened beside the objectives, from events; changes of one target's past together. @param shared accounts
 * that others use as well
 */
export function findOccurrences(events: readonly EventRecord[], shared: ReadonlySet<string>): CountedEvent[] {
  const ofPast = Map.groupBy(
    events.filter(({ kind }) => ['restatement', 'past-lost', 'past-accepted'].includes(kind)),
    ({ target = '' }) => target,
  );
  return [
    ...[...ofPast].map(([target, changes]) => restatementOccurrence(target, changes)),
    ...events.flatMap((event) => eventOccurrences(event, shared)),
  ];
}

function restatementOccurrence(target: string, changes: readonly EventRecord[]): CountedEvent {
  const count = changes.filter(({ kind }) => kind === 'restatement').length;
  const lost = changes.find(({ kind }) => kind === 'past-lost')?.detail;
  const isAccepted = changes.some(({ kind }) => kind === 'past-accepted');
  const words = (all: number): string => {
    const changed = `${all === 1 ? 'a closed candle' : `${all} closed candles`} changed after having been seen`;
    const half = lost && `half of the past is gone: ${lost.gone} of ${lost.compared} closed candles vanished`;
    const known = 'the other past was served for a day, and later slots are compared with it';
    return [...(all > 0 ? [changed] : []), ...(half ? [half] : []), ...(isAccepted ? [known] : [])].join(
      '; ',
    );
  };
  return {
    source: 'restatement',
    family: 'restatement',
    subject: { target },
    count,
    isNews: lost !== undefined || isAccepted,
    words,
  };
}

function eventOccurrences(
  { kind, target = '', key = '', detail }: EventRecord,
  shared: ReadonlySet<string>,
): CountedEvent[] {
  const [ofTarget, ofAccount] = [{ subject: { target } }, { subject: { account: key } }];
  switch (kind) {
    case 'network-reset':
      return [
        {
          ...{ source: kind, family: kind, ...ofTarget, count: 1 },
          words: () => 'a new network: nothing of its past is left',
        },
      ];
    case 'tokens-vanished': {
      const ids = Array.isArray(detail.ids) ? detail.ids.map(String) : [];
      const words = (all: number): string =>
        `${all === 1 ? 'a token' : `${all} tokens`} vanished from its list: ${listNames(ids)}`;
      return [{ source: 'vanished', family: 'vanished', ...ofTarget, count: ids.length, words }];
    }
    case 'foreign-use': {
      const count = Number(detail.n);
      const words = (all: number): string => `${all} requests were made with it that are not ours`;
      return shared.has(key) ? [] : [{ source: kind, family: `${kind} ${key}`, ...ofAccount, count, words }];
    }
    case 'limit-changed': {
      const words = (): string => `its limit is ${detail.to} requests a month now, no longer ${detail.from}`;
      return [{ source: kind, family: `${kind} ${key}`, ...ofAccount, count: 1, words }];
    }
    default:
      return [];
  }
}
