import type { SlotRecord } from '../../results/probe-record.ts';
import type { EventRecord, Json, ResultsStore } from '../../results/results-store.ts';
import type { Definition } from '../plan/definition.ts';
import { type CoverageState, TargetCoverage } from './coverage.ts';
import { type AlertMessage, type NoticeKind, toJson } from './message.ts';
import { type NoticeCondition, type NoticeOccurrence, noticeMessage, type OpenNotice } from './notice.ts';
import { NoticeBoard, type NoticeChange } from './notice-board.ts';

/** The name under which the store keeps open notices. */
const noticesState = 'notices';

type State = {
  readonly notices: readonly OpenNotice[];
  readonly seen: Readonly<Record<string, CoverageState>>;
};

/** Conditions that last and are checked by the clock. */
const lasting: readonly NoticeKind[] = ['coverage', 'clock', 'exhaustion'];

/** Raises notices beside the alerts of objectives: blindness, restatements, and the use of the keys' months. */
export class Notices {
  readonly #board: NoticeBoard;
  readonly #shared: ReadonlySet<string>;
  readonly coverage: readonly TargetCoverage[];
  /** As the store has it. */
  #written: string;

  private constructor(
    definition: Definition,
    now: number,
    shared: ReadonlySet<string>,
    { notices, seen }: State,
  ) {
    const { location, probes, alerting } = definition;
    const targets = [...new Set(probes.map(({ target }) => target))];
    this.coverage = targets.map((target) => new TargetCoverage(target, now, seen[target]));
    this.#board = new NoticeBoard(location, alerting.reminder, notices);
    this.#shared = shared;
    this.#written = JSON.stringify(this.#state);
  }

  /** Continues after an earlier process. @param shared accounts that others use as well */
  static async open(
    store: Pick<ResultsStore, 'state'>,
    definition: Definition,
    now: number,
    shared: ReadonlySet<string>,
  ): Promise<Notices> {
    const kept = (await store.state(noticesState)) as unknown as State | undefined;
    return new Notices(definition, now, shared, kept ?? { notices: [], seen: {} });
  }

  /** A slot that an earlier process has taken. */
  restore(slot: SlotRecord): void {
    for (const targetCoverage of this.coverage)
      if (targetCoverage.target === slot.series.target) targetCoverage.restore(slot);
  }

  /** Slots that are done, in the order of their plan, and the events that came with them; `now` in Unix ms. */
  take(slots: readonly SlotRecord[], events: readonly EventRecord[], now: number): AlertMessage[] {
    const reported = slots.flatMap((slot) => this.#noteSlot(slot, now));
    const happened = findOccurrences(events, this.#shared);
    return messages(
      [
        ...reported,
        ...happened.flatMap((noticeOccurrence) => this.#board.addOccurrence(noticeOccurrence, now)),
      ],
      now,
    );
  }

  /**
   * Returns notices that are due by time alone; every lasting condition is among those given, or concerns coverage.
   */
  tick(conditions: readonly NoticeCondition[], now: number): AlertMessage[] {
    const all = [...conditions, ...this.coverage.map((targetCoverage) => targetCoverage.condition)];
    return messages(
      [
        ...this.#board.withdraw(lasting, all),
        ...conditions.flatMap((condition) => this.#board.hold(condition, now)),
        ...this.#board.remind(now),
      ],
      now,
    );
  }

  /** The monitor runs again. */
  resume(now: number): void {
    for (const targetCoverage of this.coverage) targetCoverage.resume(now);
  }

  /** Shifts all instants by the ms that our clock was set by. */
  shift(by: number): void {
    for (const targetCoverage of this.coverage) targetCoverage.shift(by);
    this.#board.shift(by);
  }

  /** Returns the state for the store if it has changed. */
  takeState(): Readonly<Record<string, Json>> {
    const text = JSON.stringify(this.#state);
    if (text === this.#written) return {};
    this.#written = text;
    return { [noticesState]: JSON.parse(text) };
  }

  get #state(): Json {
    const seen = Object.fromEntries(
      this.coverage.map((targetCoverage) => [targetCoverage.target, toJson(targetCoverage.seen)]),
    );
    return { notices: this.#board.kept, seen };
  }

  #noteSlot(slot: SlotRecord, now: number): NoticeChange[] {
    const coverage = this.coverage.find(({ target }) => target === slot.series.target);
    coverage?.take(slot);
    return coverage ? this.#board.hold(coverage.condition, now) : [];
  }
}

function messages(changed: readonly NoticeChange[], now: number): AlertMessage[] {
  return changed.map(({ noticed, change }) => noticeMessage(noticed, change, now));
}

/**
 * Returns the notices of events beside the objectives; those of one slot together. @param shared accounts that others
 * use as well
 */
function findOccurrences(events: readonly EventRecord[], shared: ReadonlySet<string>): NoticeOccurrence[] {
  const restated = Map.groupBy(
    events.filter(({ kind }) => kind === 'restatement'),
    ({ target = '' }) => target,
  );
  return [
    ...[...restated].map(([target, { length }]) => restatementOccurrence(target, length)),
    ...events.flatMap((event) => eventOccurrences(event, shared)),
  ];
}

function restatementOccurrence(target: string, count: number): NoticeOccurrence {
  const words = (all: number): string =>
    `${all === 1 ? 'a closed candle' : `${all} closed candles`} changed after having been seen`;
  return { notice: 'restatement', subject: { target }, count, words };
}

function eventOccurrences(
  { kind, target = '', key = '', detail }: EventRecord,
  shared: ReadonlySet<string>,
): NoticeOccurrence[] {
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
