import type { EventRecord, Json } from '../results/results-store.ts';
import type { CountedEvent, NoticeKind } from './cause.ts';
import { formatLength, listNames } from './words.ts';

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
  const accepted = changes.filter(({ kind }) => kind === 'past-accepted');
  const isAccepted = accepted.length > 0;
  const words = (all: number): string => {
    const changed = `${all === 1 ? 'a closed candle' : `${all} closed candles`} changed after having been seen`;
    const half = lost && `half of the past is gone: ${lost.gone} of ${lost.compared} closed candles vanished`;
    const other = accepted.some(({ detail }) => 'price' in detail) ? 'price' : 'past';
    const known = `the other ${other} was served for a day, and later slots are compared with it`;
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
  { kind, at, target = '', key = '', detail }: EventRecord,
  shared: ReadonlySet<string>,
): CountedEvent[] {
  const ofTarget = { subject: { target } };
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
    default:
      return key === '' ? [] : keyOccurrences({ kind, key, at, detail }, shared);
  }
}

/** Returns what the counters of a key show beside their count: each in words of its own, never as use by others. */
function keyOccurrences(
  { kind, key = '', detail }: EventRecord,
  shared: ReadonlySet<string>,
): CountedEvent[] {
  const occurrence = (source: NoticeKind, count: number, words: CountedEvent['words'], isNews = false) => [
    { source, family: `${source} ${key}`, subject: { account: key }, count, words, isNews },
  ];
  const { n: counted, of, extra, takesBack, from, to, ours } = detail;
  const n = Number(counted);
  switch (kind) {
    case 'foreign-use': {
      const alike = n === ours ? ', as many as our own: each may be counted twice' : '';
      const words = (all: number): string => `${all} requests were made with it that are not ours${alike}`;
      return shared.has(key) ? [] : occurrence(kind, n, words);
    }
    case 'double-charge': {
      const ownUse = `; ${takesBack} that were reported as made by others were ours`;
      const words = () =>
        `each request is counted ${1 + Number(extra)} times${takesBack === 0 ? '' : ownUse}`;
      return occurrence(kind, 1, words, true);
    }
    case 'backward':
    case 'stuck':
      return of === 'reset'
        ? // Not counted: replicas that disagree move it with each answer.
          occurrence('reset-moved', 0, () => wordReset(kind, n))
        : occurrence('counters', n, (all) => (kind === 'stuck' ? wordUncounted(all, of) : wordFreed(all)));
    case 'later-reset':
      return occurrence('reset-moved', 0, () => 'its reset moves on before it is reached');
    case 'limit-changed':
      return occurrence(kind, 1, () => `its limit is ${to} requests a month now, no longer ${from}`);
    default:
      return [];
  }
}

function wordReset(kind: string, ms: number): string {
  return kind === 'stuck' ? 'its reset is overdue' : `its reset is ${formatLength(ms)} earlier than before`;
}

function wordFreed(requests: number): string {
  return `its counters went back by ${requests} requests`;
}

function wordUncounted(requests: number, of: Json | undefined): string {
  return of === 'month'
    ? `${requests} requests were kept over its reset`
    : `${requests} requests of ours were not counted`;
}
