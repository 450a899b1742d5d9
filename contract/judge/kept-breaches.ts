import type { Breach } from '../law/rule.ts';
import type { Answer } from '../reading/reading.ts';
import { normalise } from './findings.ts';

/** Breaches of one rule that are kept one by one: a target that breaks it in each of a million rows fills no memory. */
const usualMost = 10_000;

type Standing = Breach & { times: number };

/** What a rule finds; of more than a report can use, those alike in one answer are counted. */
export class KeptBreaches {
  readonly all: Breach[] = [];
  readonly #most: number;
  #standing: Map<Answer, Map<string, Standing>> | undefined;

  constructor(most = usualMost) {
    this.#most = most;
  }

  add(breach: Breach): void {
    if (this.all.length < this.#most) this.all.push(breach);
    else this.#count(breach);
  }

  #count(breach: Breach): void {
    const { answer, pointer, times = 1 } = breach;
    this.#standing ??= new Map();
    const places = this.#standing.get(answer) ?? new Map<string, Standing>();
    this.#standing.set(answer, places);
    const place = normalise(pointer);
    const known = places.get(place);
    if (known) known.times += times;
    else {
      const standing = { ...breach, times };
      places.set(place, standing);
      this.all.push(standing);
    }
  }
}
