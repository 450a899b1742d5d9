import type { Evidence } from '../evidence.ts';
import { type Interval, intervals } from '../interval.ts';
import {
  anyCandles,
  invertedHistory,
  latestOfEachPool,
  recentHoursOfEachPool,
  recentWeeks,
  tokenList,
} from '../needs.ts';
import { precisionOf } from '../precision.ts';
import type { CandleAnswer } from '../reading.ts';
import type { Question } from '../rule.ts';
import { constants } from '../rules/inversion-constant.ts';
import { isOpen } from '../series.ts';
import { operationOf } from '../spec.ts';
import { membershipAnswer } from './edges.ts';

const weekdays = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday'];

function phaseAnswer({ conventions }: Evidence): string | undefined {
  const told = intervals.flatMap((interval) => {
    const phase = conventions.phase.get(interval);
    return phase === undefined ? [] : [`${interval} ${phaseName(interval, phase)}`];
  });
  return told.length > 0 ? told.join(', ') : undefined;
}

/** 1 January 1970 was a Thursday: weeks counted from it begin on Thursdays. */
function phaseName(interval: Interval, phase: number): string {
  if (interval !== 'WEEK') return phase === 0 ? 'UTC' : `${phase} s after UTC`;
  const day = weekdays[Math.floor(phase / 86_400)] ?? '?';
  const rest = phase % 86_400;
  return rest === 0 ? `${day} 00:00 UTC` : `${day} ${rest} s after 00:00 UTC`;
}

function orderAnswer({ histories }: Evidence): string | undefined {
  const seen = new Set<string>();
  for (const { candles } of histories) {
    const [first, ...rest] = candles;
    const last = rest.at(-1);
    if (first && last && first.start !== last.start)
      seen.add(first.start < last.start ? 'ascending' : 'descending');
  }
  return join(seen);
}

function openAnswer({ histories }: Evidence): string | undefined {
  const reaching = histories.filter(
    ({ asked, serverNow, candles }) => serverNow !== undefined && asked.to >= serverNow && candles.length > 0,
  );
  const seen = new Set(
    reaching.map((answer) => (answer.candles.some((each) => isOpen(each, answer)) ? 'included' : 'left out')),
  );
  return join(seen);
}

function endAnswer({ conventions }: Evidence): string | undefined {
  const { endsEarly, openEnd } = conventions;
  const closed =
    endsEarly === undefined
      ? []
      : [`closed: ${endsEarly === 0 ? 'start of the next' : `${endsEarly} s before the next`}`];
  const open = openEnd === undefined ? [] : [`open: ${openEnd}`];
  const told = [...closed, ...open];
  return told.length > 0 ? told.join(', ') : undefined;
}

/** Where every documented field is there, one more would show in the number alone. */
function hasAsMany(record: unknown, count: number): boolean {
  let members = 0;
  for (const _ in record as object) members++;
  return members === count;
}

function extraFieldsAnswer({ candleAnswers, tokenLists, spec }: Evidence): string | undefined {
  const answers = [...candleAnswers, ...tokenLists];
  if (answers.length === 0) return undefined;
  const extra = new Set<string>();
  for (const answer of answers) {
    const known = new Set(answer.asked ? operationOf(spec, answer.asked.operation).recordFields : []);
    for (const record of answer.records) {
      const isComplete = answer.candles.length > 0 && answer.misshapen.length === 0;
      if (isComplete && hasAsMany(record, known.size)) continue;
      for (const name in record as object) if (!known.has(name)) extra.add(name);
    }
  }
  return extra.size > 0 ? [...extra].sort().slice(0, 20).join(', ').slice(0, 300) : 'none';
}

function precisionAnswer({ candleAnswers }: Evidence): string | undefined {
  if (candleAnswers.every((each) => each.candles.length === 0)) return undefined;
  const { digits } = precisionOf(closesOf(candleAnswers));
  return digits >= 15 ? 'full double precision' : `${digits} significant digits`;
}

function* closesOf(answers: readonly CandleAnswer[]): Generator<number> {
  for (const { candles } of answers) for (const { close } of candles) if (Number.isFinite(close)) yield close;
}

function constantAnswer(evidence: Evidence): string | undefined {
  const seen = new Set(
    [...constants(evidence).values()].map(({ from, to }) => String(Number(((from + to) / 2).toPrecision(6)))),
  );
  return join(seen);
}

function lagAnswer({ latest }: Evidence): string | undefined {
  const lags = latest.flatMap(({ candles: [candle], serverNow }) =>
    candle && serverNow !== undefined && !Number.isNaN(candle.end) ? [serverNow - candle.end] : [],
  );
  if (lags.length === 0) return undefined;
  return Math.max(...lags) <= 120
    ? 'within two minutes'
    : `up to ${Math.ceil(Math.max(...lags) / 60)} minutes`;
}

function join(seen: ReadonlySet<string>): string | undefined {
  return seen.size > 0 ? [...seen].sort().join(' and ') : undefined;
}

export const candleQuestions: readonly Question[] = [
  {
    id: 'history/order-of-rows',
    section: '4.2',
    question: 'In which order do the candles of a history come?',
    why: 'Clients take the first row for the oldest.',
    needs: [recentHoursOfEachPool],
    answer: orderAnswer,
  },
  {
    id: 'history/edges-of-the-range',
    section: '4.2',
    question: 'Which candles at the edges belong to a range?',
    why: 'A candle at the seam of two ranges is counted twice, once or never.',
    needs: [recentHoursOfEachPool],
    answer: membershipAnswer,
  },
  {
    id: 'history/open-candle',
    section: '4.2',
    question: 'Does a history that reaches the present hold the open candle?',
    why: 'Who keeps it takes an unfinished sum for a final one.',
    needs: [recentHoursOfEachPool],
    answer: openAnswer,
  },
  {
    id: 'candle/end-stamps',
    section: '2.2',
    question: 'What do the end stamps of closed and of open candles say?',
    why: 'It decides which period a price is filed under.',
    needs: anyCandles,
    answer: endAnswer,
  },
  {
    id: 'candle/phase',
    section: '2.2',
    question: 'Where do the intervals begin?',
    why: 'Weeks begin on different days in different houses, days in different zones.',
    needs: [...anyCandles, recentWeeks],
    answer: phaseAnswer,
  },
  {
    id: 'candle/precision',
    section: '2.2',
    question: 'How many digits do prices have?',
    why: 'Fewer digits than before mean another number format on the way.',
    needs: anyCandles,
    answer: precisionAnswer,
  },
  {
    id: 'candle/extra-fields',
    section: '2',
    question: 'Which fields come beside the documented ones?',
    why: 'They announce a change before the document does.',
    needs: [tokenList, ...anyCandles],
    answer: extraFieldsAnswer,
  },
  {
    id: 'inversion/constant',
    section: '4.2',
    question: 'What is a price times its inverse?',
    why: '1 for plain rates, a power of ten where both sides are scaled.',
    needs: invertedHistory,
    answer: constantAnswer,
  },
  {
    id: 'latest/lag',
    section: '4.3',
    question: 'How far does the latest candle lie behind the server’s clock?',
    why: 'It is the freshness that a price display can promise.',
    needs: [latestOfEachPool],
    answer: lagAnswer,
  },
];
