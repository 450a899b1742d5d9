import type { EventRecord } from '../../results/results-store.ts';
import type { NoticeHappening } from './notice.ts';

/** What events have to be reported beside the objectives; those of one slot together. @param shared accounts that others use as well */
export function happeningsIn(events: readonly EventRecord[], shared: ReadonlySet<string>): NoticeHappening[] {
  const restated = Map.groupBy(
    events.filter(({ kind }) => kind === 'restatement'),
    ({ target = '' }) => target,
  );
  return [
    ...[...restated].map(([target, { length }]) => restatement(target, length)),
    ...events.flatMap((event) => single(event, shared)),
  ];
}

function restatement(target: string, count: number): NoticeHappening {
  const words = (all: number): string =>
    `${all === 1 ? 'a closed candle' : `${all} closed candles`} changed after having been seen`;
  return { notice: 'restatement', subject: { target }, count, words };
}

function single(
  { kind, target = '', key = '', detail }: EventRecord,
  shared: ReadonlySet<string>,
): NoticeHappening[] {
  const [ofTarget, ofAccount] = [{ subject: { target } }, { subject: { account: key } }];
  switch (kind) {
    case 'network-reset':
      return [
        { notice: kind, ...ofTarget, count: 1, words: () => 'a new network: nothing of its past is left' },
      ];
    case 'foreign-use': {
      const count = Number(detail.n);
      const words = (all: number): string => `${all} requests were made with it that are not ours`;
      return shared.has(key) ? [] : [{ notice: kind, ...ofAccount, count, words }];
    }
    case 'limit-changed': {
      const words = (): string => `its limit is ${detail.to} requests a month now, no longer ${detail.from}`;
      return [{ notice: kind, ...ofAccount, count: 1, words }];
    }
    default:
      return [];
  }
}
