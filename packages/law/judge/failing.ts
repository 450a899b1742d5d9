import { operationById } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Answer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import type { Breach } from '../rules/breach.ts';
import { findRow, namePlace } from '../rules/breach.ts';
import { ruleFacts } from '../rules/facts.ts';
import type { Rule } from '../rules/rule.ts';
import { findTrigger } from '../rules/trigger.ts';
import type { AppliedRule } from './apply-rule.ts';
import { findRows } from './extent.ts';
import { chooseRegion, type JudgedCell, nameRegion, type RequestCell } from './region.ts';

/** Stands for the operation of a faulty request, which the seed chooses along with the fault. */
export const faultyRequests = 'faulty-requests';

/** The failing that a breach belongs to, as a baseline lists it, and the name of the place where it was met. */
export type NamedFailing = { readonly failing: string; readonly met: string };

/** The place of an answer in the ground that runs cover, in words that a seed does not change. */
export type AnswerPlace = RequestCell & { readonly operation: string; readonly name: string };

type Seen = Pick<Evidence, 'spec' | 'target'>;

/**
 * Returns the place of an answer for a rule: the operation, interval and direction of the request. For a rule about
 * statuses and headers, a faulty request or a wrong key is a place of its own.
 */
export function findGround(rule: Pick<Rule, 'id'>, answer: Answer, { spec, target }: Seen): AnswerPlace {
  const { requested, exchange } = answer;
  const [, trial] = exchange.request.credential.split('trial:');
  const isOfHeads = !requested || ruleFacts(rule)?.readsHeads === true;
  const fault = isOfHeads ? (trial ?? findTrigger(spec, target, answer)) : undefined;
  if (!requested || fault !== undefined) {
    return { operation: faultyRequests, name: fault ?? 'unknown request' };
  }
  const { operation, inverted } = requested;
  const interval = spec.intervals.find(({ name }) => name === requested.interval)?.name;
  const side = inverted ? 'inverted' : 'plain';
  const direction = isInvertible(spec, operation) ? side : undefined;
  const cell: RequestCell = { interval, direction };
  return { operation, ...cell, name: nameCell(cell) };
}

function isInvertible(spec: Spec, operation: string): boolean {
  return operationById(spec, operation).parameters.some(({ role }) => role === 'inverted');
}

function nameCell({ interval, direction }: RequestCell): string {
  return [interval, direction].filter((word) => word !== undefined).join(' ') || 'any request';
}

/** Returns the field or header of a finding's place as far as its rule reports each by itself; else empty. */
export function findKeptPointer({ namesFields }: Pick<Rule, 'namesFields'>, place: string): string {
  return namesFields === true ? place : '';
}

/**
 * Makes a function that names the failing of each breach of a rule: rule, operation, the field if the rule reports each,
 * and the direction and the intervals if what the rule judged elsewhere shows that the breach keeps to them.
 */
export function makeFailings(
  { rule, judged, breaches }: AppliedRule,
  evidence: Evidence,
): (breach: Breach) => NamedFailing {
  const grounds = new Map([...judged].map((answer) => [answer, findGround(rule, answer, evidence)]));
  const locate = (answer: Answer): AnswerPlace => grounds.get(answer) ?? findGround(rule, answer, evidence);
  const group = (breach: Breach): string =>
    `${locate(breach.answer).operation} ${findKeptPointer(rule, namePlace(breach))}`.trimEnd();
  const regions = new Map(
    [...Map.groupBy(breaches, group)].map(([name, all]) => {
      const cells = countCells(grounds, all as [Breach, ...Breach[]], locate);
      return [name, nameRegion(chooseRegion(cells))];
    }),
  );
  return (breach) => {
    const name = group(breach);
    const words = [rule.id, name, regions.get(name) ?? ''].filter((word) => word !== '');
    return { failing: words.join(' '), met: locate(breach.answer).name };
  };
}

/** Counts what a rule judged in each place of an operation, and what of it these breaches concern: rows if they lie in rows. */
function countCells(
  grounds: ReadonlyMap<Answer, AnswerPlace>,
  breaches: readonly [Breach, ...Breach[]],
  locate: (answer: Answer) => AnswerPlace,
): JudgedCell[] {
  const { operation } = locate(breaches[0].answer);
  const isOfRows = breaches.every((breach) => findRow(breach) !== undefined);
  const cells = new Map<string, RequestCell & { judged: number; broken: number }>();
  const openCell = ({ name, interval, direction }: AnswerPlace) => {
    const cell = cells.get(name) ?? { interval, direction, judged: 0, broken: 0 };
    cells.set(name, cell);
    return cell;
  };
  for (const [answer, ground] of grounds)
    if (ground.operation === operation) openCell(ground).judged += isOfRows ? answer.records.length : 1;
  const rows = findRows(breaches);
  for (const answer of new Set(breaches.map(({ answer }) => answer)))
    openCell(locate(answer)).broken += isOfRows ? (rows.get(answer)?.size ?? 1) : 1;
  return [...cells.values()];
}
