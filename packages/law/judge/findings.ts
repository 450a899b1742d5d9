import { operationName } from '@candleproof/document/spec/operation';
import { amounts, type CandleRole, tradeSums } from '@candleproof/document/spec/roles';
import type { OperationId } from '@candleproof/document/spec/spec';
import { amountText, type Candle } from '../reading/candle.ts';
import { type HeaderLine, headerValues } from '../reading/exchange.ts';
import { oncePer } from '../reading/once.ts';
import type { Answer } from '../reading/reading.ts';
import { answersWithRows, type Evidence } from '../relations/evidence.ts';
import { isSameRequest } from '../relations/series.ts';
import {
  type Breach,
  candleAddress,
  type DrawnCandle,
  findRow,
  namePlace,
  type Picture,
  rowPointer,
} from '../rules/breach.ts';
import type { Rule } from '../rules/rule.ts';
import type { AppliedRule } from './apply-rule.ts';
import { findField, measureExtent } from './extent.ts';
import { makeFailings, type NamedFailing } from './failing.ts';
import { describeShared } from './pattern.ts';
import type { Example, FailingPlace, Finding, FindingRequest } from './verdict.ts';

/** Examples that a finding shows, whatever its count. */
const maxExamples = 3;

/** Candles that one example shows. */
const mostCandles = 26;

/** One finding for each operation and normalised pointer: a thousand bad rows are one finding. */
export function collectFindings(
  appliedRule: AppliedRule,
  evidence: Evidence,
  replay: (rule: string) => string,
): Finding[] {
  const { rule, judged } = appliedRule;
  const findFailing = makeFailings(appliedRule, evidence);
  return [...groupBreaches(appliedRule)].map(([fingerprint, all]) => {
    const operation = findOperation(all[0]);
    const examples = choose(all).map((breach) => toExample(breach, evidence));
    const pattern = describeShared({ rule, judged }, all, { spec: evidence.spec, operation });
    return {
      rule: rule.id,
      level: rule.level,
      operation,
      ...(operation && { named: operationName(evidence.spec, operation) }),
      fingerprint,
      places: listPlaces(all.map(findFailing)),
      count: all.reduce((total, { times = 1 }) => total + times, 0),
      extent: measureExtent(all, judged, operation),
      ...(pattern !== undefined && { pattern }),
      ...leadWith(examples[0] as Example),
      pointer: namePlace(all[0]),
      ...(all[0].kind && { kind: all[0].kind }),
      ...(all[0].sentence !== undefined && { sentence: all[0].sentence }),
      intermittent: comesAndGoes(all, judged, evidence),
      replay: replay(rule.id),
      examples,
    };
  });
}

/** Groups the breaches of a rule by the finding that they belong to. */
export const groupBreaches = oncePer(
  ({ rule, breaches }: AppliedRule) =>
    Map.groupBy(breaches, (breach) => fingerprint(rule, breach)) as Map<string, [Breach, ...Breach[]]>,
);

/** Returns what a finding shows of its first example. */
export function leadWith(example: Example) {
  const {
    request: _,
    candles: _candles,
    picture: _picture,
    beside: _beside,
    pointer: _pointer,
    ...shown
  } = example;
  return shown;
}

/** Stable over runs: rule, operation and normalised pointer. */
export function fingerprint(rule: Rule, breach: Breach): string {
  return `${rule.id} ${findOperation(breach)} ${namePlace(breach)}`;
}

function listPlaces(failings: readonly NamedFailing[]): FailingPlace[] {
  const groups = Map.groupBy(failings, ({ failing }) => failing);
  return [...groups].map(([failing, all]) => ({
    failing,
    met: [...new Set(all.map(({ met }) => met))].sort(),
  }));
}

/** Exchanges of no operation of ours are never judged by a rule that finds something. */
function findOperation({ answer }: Breach): OperationId {
  return answer.requested?.operation ?? '';
}

/** Spread over the answers that are concerned, the first of each before a second of one. */
function choose(all: readonly Breach[]): Breach[] {
  const first = new Map(all.toReversed().map((breach) => [breach.answer, breach]));
  const chosen = all.filter((breach) => first.get(breach.answer) === breach).slice(0, maxExamples);
  for (const breach of all) {
    if (chosen.length >= maxExamples) break;
    if (!chosen.includes(breach)) chosen.push(breach);
  }
  return chosen;
}

/** Returns whether two answers are to equal requests with equal headers. */
function isSameManner(a: Answer, b: Answer): boolean {
  const [one, other] = [a, b].map(({ exchange: { request } }) =>
    usualHeaders.map(([name]) => headerValues(request.headers, name).join()).join('\n'),
  );
  return isSameRequest(a, b) && one === other;
}

/** The same request was answered, and judged, without this breach too. */
function comesAndGoes(all: readonly Breach[], judged: ReadonlySet<Answer>, { answers }: Evidence): boolean {
  const broken = new Set(all.map((breach) => breach.answer));
  const clean = answers.filter((answer) => judged.has(answer) && !broken.has(answer));
  return [...broken].some((answer) => clean.some((other) => isSameManner(answer, other)));
}

function toExample(breach: Breach, evidence: Evidence): Example {
  const { answer, pointer, expected, actual, candles = [], picture } = breach;
  const beside = listForeignRows(breach, evidence);
  const field = findField(breach);
  const place = { ...breach, field, row: findRow(breach) };
  const concerned =
    answer.candles.find(({ row }) => row === place.row) ??
    picture?.missing?.[0] ??
    candles.find((candle) => answer.candles.includes(candle));
  const address = concerned && addressCandle(answer, concerned.start);
  const drawn = withNeighbours(candles, answer).filter(isDrawable).slice(0, mostCandles);
  return {
    exchange: answer.index,
    ...(answer.exchange.recorder && { place: answer.exchange.recorder.place }),
    request: describeRequest(answer),
    pointer,
    ...named(address),
    ...(field !== undefined && { field }),
    expected,
    actual,
    ...(drawn.length > 0 && { candles: drawn.map((candle) => draw(candle, place, evidence)) }),
    ...(picture && { picture: toPicture(picture, place, evidence) }),
    ...(beside.length > 0 && { beside }),
  };
}

/** A breach with its row and field, which every candle that is drawn for it is compared with. */
type PlacedBreach = Breach & { readonly row: number | undefined; readonly field: CandleRole | undefined };

function toPicture(
  { other, ...picture }: NonNullable<Breach['picture']>,
  breach: PlacedBreach,
  evidence: Evidence,
): Picture {
  if (!other) return picture;
  const candles = other.candles.filter(isDrawable).slice(0, mostCandles);
  const [first] = candles;
  const holder = first && findHolder(first, breach, evidence);
  const address = holder && addressCandle(holder, first.start);
  return {
    ...picture,
    other: { ...other, ...named(address), candles: candles.map((candle) => drawOwn(candle, breach)) },
  };
}

/** Returns the address of the candle of an answer that begins at a time, or should; undefined if it holds no candles. */
function addressCandle({ requested }: Answer, start: number): string | undefined {
  const isOfCandles = requested !== undefined && requested.role !== 'tokens' && Number.isFinite(start);
  return isOfCandles ? candleAddress(requested, start) : undefined;
}

function named(address: string | undefined): { address?: string } {
  return address === undefined ? {} : { address };
}

/** Returns the answer that holds a candle, of which a breach may name some of other answers. */
function findHolder(candle: Candle, { answer }: PlacedBreach, evidence: Evidence): Answer | undefined {
  if (answer.candles.includes(candle)) return answer;
  return answersWithRows(evidence).find(({ candles }) => candles.includes(candle));
}

/** Lists the rows of other answers that a breach names, one of each answer: first those missing from its answer. */
function listForeignRows(
  { answer, candles = [], picture }: Breach,
  evidence: Evidence,
): NonNullable<Example['beside']> {
  const lost = (picture?.other?.candles ?? []).filter(({ start }) =>
    picture?.missing?.some((missingSlot) => missingSlot.start === start),
  );
  const gap = picture?.missing?.[0]?.start ?? Number.NaN;
  const before = candles.filter((candle) => candle.start < gap && answer.candles.includes(candle)).slice(-1);
  const foreign = [...lost, ...candles].filter((candle) => !answer.candles.includes(candle));
  const rows = [...foreign, ...before].slice(0, mostCandles).flatMap((candle) => {
    const holder = answersWithRows(evidence).find((candleAnswer) => candleAnswer.candles.includes(candle));
    if (!holder) return [];
    const place = { exchange: holder.index, pointer: rowPointer(holder, candle.row) };
    return [before.includes(candle) ? { ...place, after: true as const } : place];
  });
  return [...new Map(rows.toReversed().map((row) => [row.exchange, row])).values()]
    .toReversed()
    .slice(0, maxExamples);
}

function describeRequest({ exchange: { request, recorder } }: Answer): FindingRequest {
  const { method, url, body, credential, headers } = request;
  const [ifNoneMatch] = headerValues(headers, 'if-none-match');
  const varied = recorder || headers.length === 0 ? [] : listVaried(headers);
  // A request without a key may have been let in for another header.
  const others = headers.filter(([name]) => !ordinaryHeaders.has(name.toLowerCase()));
  if (!recorder && credential === 'none') varied.push(...others);
  return {
    method,
    url,
    ...(body !== undefined && { body }),
    credential,
    ifNoneMatch,
    ...(varied.length > 0 && { headers: varied }),
  };
}

/** Headers that every request of ours has, or that a finding names otherwise. */
const ordinaryHeaders: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'accept', 'accept-encoding', 'user-agent', 'if-none-match'],
  ...['accept-language', 'content-type'],
]);

/** Headers that change nothing about what is requested and that a run varies, with the values that most requests have. */
const usualHeaders = [
  ['user-agent', /^Candleproof/],
  ['accept', /^application\/json$/],
  ['accept-language', /^$/],
  ['accept-encoding', /^gzip, br$/],
] as const;

function listVaried(headers: readonly HeaderLine[]): HeaderLine[] {
  return usualHeaders.flatMap(([name, usual]) => {
    const value = headerValues(headers, name).join();
    return usual.test(value) ? [] : [[name, value] as const];
  });
}

/** A single candle of a series is drawn between those beside it. */
function withNeighbours(candles: readonly Candle[], answer: Answer): readonly Candle[] {
  const [only] = candles;
  if (!only || candles.length > 1 || answer.candles.length < 2) return candles;
  return answer.candles.filter((candle) => Math.abs(candle.row - only.row) <= 3);
}

/** A price or time that is no number cannot be drawn. */
function isDrawable({ start, end, open, high, low, close }: Candle): boolean {
  return [start, end, open, high, low, close].every(Number.isFinite);
}

/** Draws the times and prices of a candle. */
export function drawPrices(candle: Candle): Omit<DrawnCandle, 'amount' | 'address' | 'offending'> {
  const { start, end, open, high, low, close, avg } = candle;
  return { start, end, open, high, low, close, ...(Number.isFinite(avg) && { avg }) };
}

/** Draws a candle; it is offending if the breach names it among its candles and points at its row. */
function draw(candle: Candle, breach: PlacedBreach, evidence: Evidence): DrawnCandle {
  const holder = findHolder(candle, breach, evidence);
  const isForeign = holder !== undefined && holder !== breach.answer;
  return { ...drawOwn(candle, breach), ...(isForeign && named(addressCandle(holder, candle.start))) };
}

function drawOwn(candle: Candle, { answer, candles = [], row, field }: PlacedBreach): DrawnCandle {
  const isNamed = candle.row === row && answer.candles.includes(candle);
  const amount = readAmount(candle, field);
  return {
    ...drawPrices(candle),
    ...(Number.isFinite(amount) && { amount }),
    offending: isNamed && candles.includes(candle),
  };
}

function readAmount(candle: Candle, field: CandleRole | undefined): number {
  const amount = [...amounts, ...tradeSums].find((role) => role === field);
  return amount === undefined ? Number.NaN : Number(amountText(candle, amount) ?? Number.NaN);
}
