import { minute, stamp } from '@candleproof/document/spec/interval';
import { requireOperation } from '@candleproof/document/spec/operation';
import { hasNeedlessEscapes as isCoded } from '@candleproof/document/spec/request-path';
import type { HistoryAnswer } from '../../reading/reading.ts';
import { lateSeconds } from '../../reading/tolerances.ts';
import { quoteValue } from '../../reading/words.ts';
import { joinClosed } from '../../relations/direction-pairs.ts';
import type { Evidence } from '../../relations/evidence.ts';
import {
  type Changed,
  classifyLoss,
  compareFields,
  isInside,
  type Loss,
  type LostCandles,
} from '../../relations/overlaps.ts';
import { hasClock, intervalLength, isSameRange, isSameSeries } from '../../relations/series.ts';
import { closedCandles } from '../../relations/timeline.ts';
import { fieldBreach } from '../breach.ts';
import { staysRule } from '../facts.ts';
import {
  allWeeks,
  firstDays,
  recentHoursTwice,
  someMinutes,
  weekInHalves,
  weekInTwoSpellings,
} from '../needs.ts';
import type { CheckOutcome, Rule } from '../rule.ts';
import { candlesAroundGap, drawGaps, listMissing } from './missing-rows.ts';
import { listEdgeCandles, otherEdges } from './repeats.ts';

function* checkStay({ overlaps, timelines }: Evidence): Generator<CheckOutcome> {
  for (const answer of overlaps().compared) yield { judged: answer };
  for (const breach of timelines().flatMap(({ answers }) => [...otherEdges(answers)])) yield { breach };
  for (const { answer, candle, field, before } of overlaps().changed) {
    if (isUnfinished(before)) continue;
    if (isYoung(before)) {
      yield { undecided: `the candle of ${stamp(candle.start)} was corrected soon after its end` };
      continue;
    }
    const expected = `${quoteValue(before.candle.record[field])}, as for ${formatRange(before.answer)}`;
    yield { breach: fieldBreach(answer, candle, field, expected, [before.candle, candle]) };
  }
}

/** The newest candle of a pool that is no longer observed waits for its remaining observations. */
function isUnfinished({ answer, candle }: Changed['before']): boolean {
  return candle === answer.inTime.at(-1) && candle.end - candle.start < intervalLength(answer) - minute;
}

function isYoung({ answer, candle }: Changed['before']): boolean {
  return candle.start + intervalLength(answer) > (answer.nowWithin?.from ?? 0) - lateSeconds;
}

function formatRange({ requested }: HistoryAnswer): string {
  return `${stamp(requested.from)} to ${stamp(requested.to)}`;
}

/** Makes a check of answers that lack candles of others, in one way of losing them. */
function checkLosses(wanted: Loss, isJudged: (one: HistoryAnswer, other: HistoryAnswer) => boolean) {
  return function* check({ overlaps, timelines }: Evidence): Generator<CheckOutcome> {
    for (const { answers } of timelines()) {
      const telling = answers.filter((answer) => closedCandles(answer).length > 0);
      for (const one of answers) {
        if (!one.requested.proper) continue;
        if (telling.some((other) => one !== other && isJudged(one, other))) yield { judged: one };
      }
    }
    for (const lost of overlaps().lost) if (classifyLoss(lost) === wanted) yield { breach: lossBreach(lost) };
  };
}

function lossBreach({ answer, candles, shownBy }: LostCandles) {
  const starts = candles.map((candle) => candle.start);
  const [shower] = shownBy;
  return {
    answer,
    pointer: '',
    expected: `the candles that the answer for ${shower ? formatRange(shower) : 'another range'} holds`,
    actual: listMissing(starts),
    candles: candlesAroundGap(answer, starts[0] ?? 0),
    picture: {
      ...drawGaps(answer, starts),
      ...(shower && {
        other: { name: 'other', own: 'this', candles: candlesAroundGap(shower, starts[0] ?? 0) },
      }),
    },
  };
}

/** Returns whether two requests differ only by parameter order or percent-encoding, which must give the same closed candles. */
function* checkSpelling({ histories, answers, spec }: Evidence): Generator<CheckOutcome> {
  for (const answer of answers) {
    const { status = 0, complete, requested, exchange } = answer;
    const isRefused = complete && status >= 400 && status < 500 && status !== 429;
    const [, query = ''] = exchange.request.url.split('?');
    // Only the server knows whether paths differ in case or slashes, so the path must not be encoded otherwise.
    if (!isRefused || requested?.role !== 'history' || !isCoded(query)) continue;
    if (!histories.some((history) => isRespelt(history, answer as HistoryAnswer))) continue;
    const expected = 'status 200, as in the usual spelling';
    yield { breach: { answer, pointer: 'status', expected, actual: `status ${status}` } };
  }
  const differing = compareFields(requireOperation(spec, 'history').recordFields);
  for (const [index, answer] of histories.entries()) {
    const first = histories.slice(0, index).find((history) => isRespelt(history, answer));
    if (!first || !hasClock(first) || !hasClock(answer)) continue;
    yield { judged: answer };
    for (const [candle, reported] of joinClosed(answer, first)) {
      const field = differing(reported, candle);
      if (field === undefined) continue;
      const expected = `${quoteValue(reported.record[field])}, as in the usual spelling`;
      yield { breach: fieldBreach(answer, candle, field, expected, [reported, candle]) };
    }
    const [one, other] = [listEdgeCandles(first), listEdgeCandles(answer)];
    if (one.join() === other.join()) continue;
    const expected = `the same candles at the edges of the range: ${one.map(stamp).join(', ') || 'none'}`;
    yield { breach: { answer, pointer: '', expected, actual: other.map(stamp).join(', ') || 'none' } };
  }
}

function isRespelt(one: HistoryAnswer, other: HistoryAnswer): boolean {
  return (
    one.exchange.request.url !== other.exchange.request.url &&
    one.exchange.request.credential === other.exchange.request.credential &&
    isSameSeries(one, other) &&
    isSameRange(one, other) &&
    one.requested.inverted === other.requested.inverted
  );
}

const needs = [...recentHoursTwice, ...weekInHalves, ...someMinutes];

export const overlapRules: readonly Rule[] = [
  {
    id: staysRule,
    shows: 'changing',
    consequence: 'prices',
    damage: 'changed',
    section: '2.2',
    level: 'must',
    statement: 'A closed candle is the same in every answer that contains it, whatever the requested range.',
    broken: 'Closed candles differ from answer to answer',
    why: 'The past does not change: two charts of the same hour must not differ.',
    exactly:
      'for two answers to one series, each documented field of a candle that is closed in both is the same value. A candle that changed within 600 s of its end is left undecided. Two answers to one request also hold the same closed candles at the edges of the range, however these are read.',
    restsOn: ['history'],
    needs,
    check: checkStay,
  },
  {
    id: 'history/wider-range-holds-more',
    shows: 'missing',
    section: '4.2',
    level: 'must',
    statement: 'A range contains every closed candle inside it that a narrower range contains.',
    broken: 'Wider ranges lack candles that narrower ones contain',
    why: 'An answer that is silently cut off is mistaken for a complete one.',
    exactly:
      '[c, d] ⊂ [a, b] ⇒ the closed candles strictly inside [c, d] are all in the answer to [a, b]. The days around the oldest row of all weeks are requested alone: that row is the birth of its pool only where nothing comes before it.',
    restsOn: ['from', 'to'],
    needs: [...needs, allWeeks, firstDays],
    check: checkLosses('wider', (one, other) => isInside(other, one)),
  },
  {
    id: 'history/split-loses-nothing',
    shows: 'missing',
    section: '4.2',
    level: 'must',
    statement: 'Part of a range contains every closed candle of the whole that lies inside the part.',
    broken: 'Parts of a range lack candles of the whole',
    why: 'Long histories are fetched in parts: candles that fall between them are lost.',
    exactly:
      'the closed candles strictly inside a part are those of the whole. The parts overlap by three hours and begin and end within an hour, so that no reading of the edges explains a loss.',
    restsOn: ['from', 'to'],
    needs,
    check: checkLosses('part', (one, other) => isInside(one, other)),
  },
  {
    id: 'history/spelling-changes-nothing',
    shows: 'missing',
    section: '',
    level: 'should',
    statement: 'Neither the order of parameters nor percent-encoding in their values changes a candle.',
    broken: 'The spelling of a request changes its candles',
    why: 'Libraries build URLs in different ways that all mean the same.',
    exactly:
      '`?interval=%44AY&to=%31…&from=%31…` gives the closed candles of `?from=…&to=…&interval=DAY`, at the edges too; all values of the query or the path are spelled this way, as the seed draws. A refusal is a breach too, except for the path.',
    needs: weekInTwoSpellings,
    check: checkSpelling,
  },
];
