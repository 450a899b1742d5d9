import { day as dayLength, intervalName, week } from '@candleproof/document/spec/interval';
import { requireOperation } from '@candleproof/document/spec/operation';
import { operationRoles } from '@candleproof/document/spec/roles';
import type { Answer, CandleAnswer } from '../../reading/reading.ts';
import { measurePrecision } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { allWeeks, anyCandles, tokenList } from '../needs.ts';
import { listNewest } from '../observed-values.ts';
import type { Question } from '../rule.ts';

const weekdays = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday'];

function phaseAnswer({ conventions, spec }: Evidence): string | undefined {
  const reported = [...conventions.phase].map(
    ([length, phase]) => `${intervalName(spec.intervals, length)} ${phaseName(length, phase)}`,
  );
  return reported.length > 0 ? reported.join(', ') : undefined;
}

/** Names a phase. 1 January 1970 was a Thursday, so weeks counted from it begin on Thursdays. */
function phaseName(length: number, phase: number): string {
  if (length !== week) return phase === 0 ? 'UTC' : `${phase} s after UTC`;
  const day = weekdays[Math.floor(phase / dayLength)] ?? '?';
  const rest = phase % dayLength;
  return rest === 0 ? `${day} 00:00 UTC` : `${day} ${rest} s after 00:00 UTC`;
}

function endAnswer({ conventions }: Evidence): string | undefined {
  const { endsEarly, openEnd } = conventions;
  const closed =
    endsEarly === undefined
      ? []
      : [`closed: ${endsEarly === 0 ? 'start of the next' : `${endsEarly} s before the next`}`];
  const open = openEnd === undefined ? [] : [`open: ${openEnd}`];
  const reported = [...closed, ...open];
  return reported.length > 0 ? reported.join(', ') : undefined;
}

/** Returns whether a record has more fields than documented, by their number alone. */
function hasAsMany(record: unknown, count: number): boolean {
  let members = 0;
  for (const _ in record as object) members++;
  return members === count;
}

/** Lists undocumented fields per operation: a new field in one kind of record shows nothing about others. */
function extraFieldsAnswer({ candleAnswers, tokenLists, spec }: Evidence): string | undefined {
  const reported = [...candleAnswers, ...tokenLists].filter((answer) => answer.records.length > 0);
  const answers = Map.groupBy(reported, ({ requested }) => requested?.role);
  const parts = operationRoles.flatMap((role) => {
    const found = answers.get(role);
    return found
      ? [`${role} ${listExtraFields(found, new Set(requireOperation(spec, role).recordFields))}`]
      : [];
  });
  return parts.length > 0 ? parts.join(', ') : undefined;
}

function listExtraFields(answers: readonly Answer[], known: ReadonlySet<string>): string {
  const extra = new Set<string>();
  for (const answer of answers) {
    for (const record of answer.records) {
      const isComplete = answer.candles.length > 0 && answer.misshapen.length === 0;
      if (isComplete && hasAsMany(record, known.size)) continue;
      // Characters of a text and elements of a list are not fields.
      if (typeof record !== 'object' || Array.isArray(record)) continue;
      for (const name in record as object) if (!known.has(name)) extra.add(name);
    }
  }
  return extra.size > 0 ? [...extra].sort().slice(0, 20).join(' ').slice(0, 120) : 'none';
}

/** Reported per operation, since different systems may serve them. */
function precisionAnswer({ histories, latest }: Evidence): string | undefined {
  const parts = [['history', histories] as const, ['latest', latest] as const].flatMap(([name, answers]) => {
    const reported = namePrecision(answers);
    return reported === undefined ? [] : [`${name} ${reported}`];
  });
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** More digits than any single-precision number is written in, unless all its binary places are written. */
const singleDigits = 9;

/** Names the precision of closes. A few prices may all end in zeros, and a price that never moves says nothing. */
function namePrecision(answers: readonly CandleAnswer[]): string | undefined {
  const closes = new Set(listCloses(answers));
  const { digits, isSingle } = measurePrecision(closes);
  if (digits >= 15 && !isSingle) return 'full double precision';
  if (digits >= 15 || (isSingle && digits > singleDigits)) return 'single precision';
  return closes.size < 20 ? undefined : `${digits} significant digits`;
}

function* listCloses(answers: readonly CandleAnswer[]): Generator<number> {
  for (const answer of answers)
    for (const { close } of listNewest(answer)) if (Number.isFinite(close)) yield close;
}

export const candleQuestions: readonly Question[] = [
  {
    id: 'candle/end-stamps',
    section: '2.2',
    uses: ['start', 'end'],
    question: 'What do the end times of closed and open candles mean?',
    why: 'A client that joins several sources shifts their times by it.',
    exactly: 'closed: e of S + L − E; open: whether E follows the clock or is S + L − e.',
    restsOn: ['end'],
    needs: anyCandles,
    hasParts: true,
    unlessBroken: ['candle/closed-lasts-its-interval', 'candle/open-ends-are-alike'],
    answer: endAnswer,
  },
  {
    id: 'candle/phase',
    section: '2.2',
    question: 'Where do the intervals begin?',
    why: 'Weeks begin on different days at different providers, days in different time zones.',
    exactly: 'S mod L by interval, reported as a weekday and seconds after UTC.',
    restsOn: ['start'],
    needs: [...anyCandles, allWeeks],
    hasParts: true,
    unlessBroken: ['history/aligned'],
    answer: phaseAnswer,
  },
  {
    id: 'candle/precision',
    section: '2.2',
    question: 'How many digits do prices have?',
    why: 'Fewer digits than before indicate a changed number format.',
    exactly:
      'the most significant digits of any close, 15 or more being a full double; single precision where every one of them, in more than 9 digits, is its own nearest 32-bit number.',
    restsOn: ['close'],
    needs: anyCandles,
    hasParts: true,
    answer: precisionAnswer,
  },
  {
    id: 'candle/extra-fields',
    section: '2',
    question: 'Which undocumented fields are there?',
    why: 'They announce a change before the document does.',
    restsOn: ['candle', 'token'],
    needs: [tokenList, ...anyCandles],
    hasParts: true,
    answer: extraFieldsAnswer,
  },
];
