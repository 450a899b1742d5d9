import { intervalPhase } from '@candleproof/document/spec/interval';
import { firstOperation, operationById } from '@candleproof/document/spec/operation';
import type { OperationRole } from '@candleproof/document/spec/roles';
import type { Spec } from '@candleproof/document/spec/spec';
import { applyClocks, assumeLocalClock } from '../reading/clock.ts';
import type { Recording, TargetFacts } from '../reading/exchange.ts';
import { once } from '../reading/once.ts';
import {
  type Answer,
  type CandleAnswer,
  type HistoryAnswer,
  hasEveryStart,
  holdsContent,
  Readings,
  readExchange,
} from '../reading/reading.ts';
import { plausibleSeconds } from '../reading/tolerances.ts';
import { type Conventions, observeConventions } from './conventions.ts';
import { type DirectionPair, directionPairs } from './direction-pairs.ts';
import { type Family, families } from './families.ts';
import { type Constant, constants } from './inversion-constants.ts';
import { type Overlaps, overlaps } from './overlaps.ts';
import { type Timeline, timelines } from './timeline.ts';

/** All that a judge may use: every exchange read once, sorted by what was requested. */
export type Evidence = {
  readonly spec: Spec;
  readonly target: TargetFacts;
  /** Those of the target; a recording of others may hold exchanges with other sites. */
  readonly answers: readonly Answer[];
  /** Answers of the same paths over plain HTTP; only the rules of plain HTTP read these. */
  readonly plainHttp: readonly Answer[];
  /** Successful answers to proper requests whose body is held and has the document's form. A cache's word is never the latest. */
  readonly tokenLists: readonly Answer[];
  readonly candleAnswers: readonly CandleAnswer[];
  readonly histories: readonly HistoryAnswer[];
  /**
   * Rows that came for a range which the document leaves open: negative, reversed, fractional or far too wide. Each
   * covers the time from its first row to its last. Their rows are judged and compared as candles; what belongs to
   * the range is not.
   */
  readonly oddHistories: readonly HistoryAnswer[];
  readonly latest: readonly CandleAnswer[];
  /** Answers whose Date header contradicts their candle. */
  readonly wrongDates: readonly CandleAnswer[];
  /**
   * Present if no Date bounds the server's time and our clock does so within a day: the same evidence as if
   * that clock were exact, which shows what is unjudged for this reason alone.
   */
  readonly ifClocked?: () => Evidence;
  /** The target's choices that the document leaves open. */
  readonly conventions: Conventions;
  /** Relations between candles that several rules share, computed once and on demand. */
  readonly timelines: () => readonly Timeline[];
  readonly overlaps: () => Overlaps;
  readonly families: () => readonly Family[];
  readonly directionPairs: () => readonly DirectionPair[];
  /** By pool, as the pairs of directions name it: what a price times its inverse is. */
  readonly constants: () => ReadonlyMap<string, Constant>;
};

/** Reads every exchange of a recording's target and sorts the answers by what was requested. */
export function gatherEvidence(spec: Spec, recording: Recording, readings = new Readings()): Evidence {
  const { target } = recording;
  const all = recording.exchanges.flatMap((exchange, index) =>
    exchange.request.url.startsWith(`${target.baseUrl}/`)
      ? [readings.read(spec, target, exchange, index)]
      : [],
  );
  const { answers, wrongDates, isUnsure } = applyClocks(all);
  const evidence = sortAnswers(spec, recording, answers);
  return {
    ...evidence,
    wrongDates,
    ...(isUnsure && { ifClocked: once(() => sortAnswers(spec, recording, assumeLocalClock(answers))) }),
  };
}

function sortAnswers(spec: Spec, recording: Recording, answers: readonly Answer[]): Evidence {
  const { target } = recording;
  const successes = (role: OperationRole): Answer[] =>
    answers.filter(
      (answer) => holdsContent(answer) && answer.requested?.proper && answer.requested.role === role,
    );
  const histories = successes('history') as HistoryAnswer[];
  const oddHistories = answers.flatMap(readOddRange);
  const singles = successes('latest') as CandleAnswer[];
  const latest = singles.filter((single) => !single.fromCache);
  const candleAnswers = [...singles, ...histories].sort((a, b) => a.index - b.index);
  const conventions = observeConventions(candleAnswers, oddHistories);
  return {
    spec,
    target,
    answers,
    plainHttp: plainHttpAnswers(spec, recording),
    tokenLists: successes('tokens'),
    candleAnswers,
    histories,
    oddHistories,
    latest,
    conventions,
    wrongDates: [],
    ...shareRelations(
      spec,
      [...histories, ...oddHistories.filter(hasUsualStarts(conventions))].filter(isOurs(target)),
      latest,
      conventions,
    ),
  };
}

/**
 * Returns the answer to an odd range as one to the range of its rows; none if it holds no readable row, or rows of an age
 * in which nothing was traded: only the range may be the reason for those.
 */
function readOddRange(answer: Answer): HistoryAnswer[] {
  const { requested, inTime } = answer;
  const [first, last] = [inTime[0], inTime.at(-1)];
  if (!requested?.oddRange || !holdsContent(answer) || !first || !last) return [];
  if (!hasEveryStart(answer) || first.start < plausibleSeconds.from) return [];
  const to = last.start + (requested.length ?? 0);
  return [
    { ...answer, requested: { ...requested, openRange: true, from: first.start, to } } as HistoryAnswer,
  ];
}

/** Makes a test for rows that stand for the target's usual intervals: those that begin at an odd `from` are others. */
function hasUsualStarts({ phase }: Conventions): (answer: HistoryAnswer) => boolean {
  return ({ requested: { length }, inTime }) => {
    const usual = phase.get(length);
    return usual === undefined || inTime.every(({ start }) => intervalPhase(start, length) === usual);
  };
}

/** Lists the answers whose rows are judged one by one, whatever was requested. */
export function answersWithRows({ candleAnswers, oddHistories }: Evidence): readonly CandleAnswer[] {
  return oddHistories.length === 0 ? candleAnswers : [...candleAnswers, ...oddHistories];
}

/** A plain request goes to port 80, or to the port that the base URL names. */
function plainHttpAnswers(spec: Spec, { target, exchanges }: Recording): Answer[] {
  if (!URL.canParse(target.baseUrl) || !target.baseUrl.startsWith('https:')) return [];
  const baseUrl = target.baseUrl.replace('https:', 'http:');
  return exchanges.flatMap((exchange, index) =>
    exchange.request.url.startsWith(`${baseUrl}/`)
      ? [readExchange(spec, { ...target, baseUrl }, exchange, index)]
      : [],
  );
}

/** Makes a test for answers to our key, or to no key if none is needed: other clients' answers are not compared. */
function isOurs({ keyless }: TargetFacts): (answer: Answer) => boolean {
  return ({ exchange: { request } }) =>
    keyless || request.credential === 'api-key' || request.credential === 'unknown';
}

type Shared = Pick<Evidence, 'timelines' | 'overlaps' | 'families' | 'directionPairs' | 'constants'>;

function shareRelations(
  spec: Spec,
  histories: readonly HistoryAnswer[],
  latest: readonly CandleAnswer[],
  conventions: Conventions,
): Shared {
  const recordFields = firstOperation(spec, 'history')?.recordFields ?? [];
  const lines = once(() => timelines(histories));
  const pairs = once(() => directionPairs(spec, histories, lines(), latest));
  return {
    timelines: lines,
    overlaps: once(() => overlaps(lines(), conventions, recordFields)),
    families: once(() => families(spec, histories, lines())),
    directionPairs: pairs,
    constants: once(() => constants(pairs())),
  };
}

/** Lists the ids of an answer's tokens, as received. */
export function listIds({ requested, records }: Answer, spec: Spec): unknown[] {
  const field = (requested && operationById(spec, requested.operation).fields.id) ?? 'id';
  return records.flatMap((record) =>
    typeof record === 'object' && record !== null
      ? [(record as Readonly<Record<string, unknown>>)[field]]
      : [],
  );
}
