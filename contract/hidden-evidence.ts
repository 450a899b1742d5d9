import { rowsOf } from './extent.ts';
import type { Answer } from './reading.ts';
import type { Need, Rule } from './rule.ts';
import type { Sighting } from './sighting.ts';

/** More than this share of an answer's rows: what is left of it is no evidence. */
const most = 0.5;

/**
 * The rule that all answers break that one of these needs is met by, a must before a should: where a rule found nothing
 * to judge, that is why. Undefined where there are no such answers, or nothing is wrong with some of them.
 */
export function hiddenBy(
  { id, needs }: Pick<Rule, 'id' | 'needs'>,
  answers: readonly Answer[],
  sightings: readonly Sighting[],
): string | undefined {
  const met = needs
    .map((need) => answers.filter((each) => meets(each, need)))
    .filter((each) => each.length > 0);
  const broken = sightings
    .filter(({ breaches }) => breaches.length > 0)
    .toSorted((a, b) => Number(a.rule.level === 'should') - Number(b.rule.level === 'should'));
  const hiding = broken.find((sighting) => {
    const spoilt = spoiltBy(sighting, groupOf(id));
    return met.some((own) => own.every((each) => spoilt.has(each)));
  });
  return hiding?.rule.id;
}

function meets({ asked, entitled, exchange }: Answer, need: Need): boolean {
  if (asked?.operation !== need.operation || need.errorCase || need.method || need.plainHttp) return false;
  if (need.interval !== undefined && asked.interval !== need.interval) return false;
  const { credential } = exchange.request;
  if (need.unkeyed) return credential === 'none';
  return need.trial ? credential.startsWith('trial:') : entitled;
}

/** Answers that a rule found broken as a whole or in most rows; in a header only where a rule of this group, or all, read it. */
function spoiltBy({ rule, breaches }: Sighting, group: string): Set<Answer> {
  const isWhole = (pointer: string): boolean =>
    pointer === '' ||
    pointer === 'status' ||
    pointer === 'header:date' ||
    (pointer.startsWith('header:') && groupOf(rule.id) === group);
  const whole = breaches.filter(({ pointer }) => isWhole(pointer)).map(({ answer }) => answer);
  const rows = [...rowsOf(breaches)].filter(([{ records }, broken]) => broken.size > most * records.length);
  return new Set([...whole, ...rows.map(([answer]) => answer)]);
}

function groupOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}
