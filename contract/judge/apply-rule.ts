import type { Breach } from '../law/breach.ts';
import { ruleFacts } from '../law/facts.ts';
import type { Rule, Sight } from '../law/rule.ts';
import type { Answer } from '../reading/reading.ts';
import type { Evidence } from '../relations/evidence.ts';
import { normalise } from './findings.ts';
import type { Sighting } from './sighting.ts';

/**
 * Applies a rule to the evidence; `mostBreaches` are kept one by one, the rest counted. A must of the past that finds
 * nothing to judge is tried again as if there had been a Date. A rule that throws yields a sighting with its crash.
 */
export function applyRule(rule: Rule, evidence: Evidence, mostBreaches?: number): Sighting {
  const sighting = applyOnce(rule, evidence, mostBreaches);
  if (!evidence.ifClocked || sighting.judged.size > 0) return sighting;
  if (rule.level !== 'must' || !ruleFacts(rule)?.judgesThePast) return sighting;
  return applyOnce(rule, evidence.ifClocked()).judged.size > 0 ? { ...sighting, isUntimed: true } : sighting;
}

/** Returns the sighting of a rule that has nothing to judge, as most rules have nothing in one answer. */
export function seeNothing(rule: Rule): Sighting {
  return { rule, ...nothing };
}

const nothing: Omit<Sighting, 'rule'> = {
  judged: new Set(),
  breaches: [],
  undecided: [],
  open: false,
  race: false,
};

function applyOnce(rule: Rule, evidence: Evidence, mostBreaches?: number): Sighting {
  let collected: Collected | undefined;
  try {
    for (const sight of rule.check(evidence)) {
      collected ??= new Collected(mostBreaches);
      collected.add(sight);
    }
  } catch (error) {
    const crash = `the rule itself failed: ${error instanceof Error ? error.message : error}`;
    return { rule, ...nothing, crash };
  }
  return collected ? collected.toSighting(rule) : seeNothing(rule);
}

/** Collects what one rule's check yields. */
class Collected {
  readonly #judged = new Set<Answer>();
  readonly #undecided: string[] = [];
  readonly #breaches: BoundedBreaches;
  #race = false;
  #open = false;
  #silence: string | undefined;

  constructor(mostBreaches: number | undefined) {
    this.#breaches = new BoundedBreaches(mostBreaches);
  }

  add(sight: Sight): void {
    if ('judged' in sight) this.#judged.add(sight.judged);
    else if ('breach' in sight) {
      this.#judged.add(sight.breach.answer);
      this.#breaches.add(sight.breach);
    } else {
      this.#undecided.push(sight.undecided);
      this.#race ||= sight.race === true;
      this.#open ||= sight.dead !== true;
      if (sight.silent) this.#silence ??= sight.undecided;
    }
  }

  toSighting(rule: Rule): Sighting {
    const [judged, breaches, undecided] = [this.#judged, this.#breaches.all, this.#undecided];
    const silence = this.#silence !== undefined && { silence: this.#silence };
    return { rule, judged, breaches, undecided, open: this.#open, race: this.#race, ...silence };
  }
}

/** Breaches of one rule that are kept one by one, so that a target with a million broken rows fills no memory. */
const defaultMost = 10_000;

/** Holds the breaches of a rule; beyond the most, breaches alike in one answer are counted. */
class BoundedBreaches {
  readonly all: Breach[] = [];
  readonly #most: number;
  #counted: Map<Answer, Map<string, Breach & { times: number }>> | undefined;

  constructor(most = defaultMost) {
    this.#most = most;
  }

  add(breach: Breach): void {
    if (this.all.length < this.#most) this.all.push(breach);
    else this.#count(breach);
  }

  #count(breach: Breach): void {
    const { answer, pointer, times = 1 } = breach;
    this.#counted ??= new Map();
    const places = this.#counted.get(answer) ?? new Map<string, Breach & { times: number }>();
    this.#counted.set(answer, places);
    const place = normalise(pointer);
    const known = places.get(place);
    if (known) known.times += times;
    else {
      const counted = { ...breach, times };
      places.set(place, counted);
      this.all.push(counted);
    }
  }
}
