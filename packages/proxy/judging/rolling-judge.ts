import { operationById } from '@candleproof/document/spec/operation';
import type { PoolId, Spec } from '@candleproof/document/spec/spec';
import { type Examined, examine, observe } from '@candleproof/law/judge/judge';
import type { Observation } from '@candleproof/law/judge/verdict';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import { type Answer, Readings } from '@candleproof/law/reading/reading';
import { fingerprint } from '@candleproof/law/rules/breach';
import type { Catalogue } from '@candleproof/law/rules/catalogue';
import type { TimeSpan } from '../traffic-observer.ts';
import { CountedExchanges, findUncounted } from './counted-exchanges.ts';
import { windowAnswers, windowBytes } from './judging-limits.ts';
import type { Found, TrafficReport } from './messages.ts';
import type { PassingLaw } from './passing-law.ts';
import { Tallies, tallyRule } from './tallies.ts';
import { AnswerWindow, type Entry, gapOf, type WindowLimits } from './window.ts';

/** Breaches of one rule in one evaluation that are listed singly. */
const mostBreaches = 1000;

const usualWindow: WindowLimits = { answers: windowAnswers, bytes: windowBytes };

/** The part of a window that is new when it is judged; the rest overlaps with the previous evaluation. */
const share = 3 / 4;

/** Judges answers singly as they arrive, and together over a window. */
export class RollingJudge {
  readonly #spec: Spec;
  readonly #law: PassingLaw;
  readonly #limits: WindowLimits;
  readonly #window: AnswerWindow;
  readonly #readings = new Readings();
  readonly #counted = new CountedExchanges();
  readonly #tallies = new Tallies();
  #target: TargetFacts;
  #found: Found[] = [];
  #observations: readonly Observation[] = [];
  /** Entries since the last evaluation of the window, including gaps, and the newest exchange in it. */
  #fresh = { entries: 0, answers: 0, bytes: 0 };
  #judgedUpTo = 0;

  constructor(spec: Spec, target: TargetFacts, law: PassingLaw, limits = usualWindow) {
    this.#spec = spec;
    this.#target = target;
    this.#law = law;
    this.#limits = limits;
    this.#window = new AnswerWindow(limits);
  }

  /** Returns whether there are answers that the window was not judged with yet. */
  get hasFresh(): boolean {
    return this.#fresh.answers > 0;
  }

  take(entries: readonly Entry[]): void {
    this.#learnConventions(this.#examine(entries, this.#law.ofOne, () => true));
    for (const entry of entries) {
      this.#fresh.answers += 1;
      this.#fresh.bytes += entry.exchange.response?.body?.text.length ?? 0;
      this.#add(entry);
    }
  }

  /** Adds an entry, and judges the window in time, so that each entry is judged with those before and after it. */
  #add(entry: Entry): void {
    this.#window.add(entry);
    this.#fresh.entries += 1;
    const { entries, bytes } = this.#fresh;
    if (entries >= share * this.#limits.answers || bytes >= share * this.#limits.bytes) this.judgeWindow();
  }

  /** Adds an exchange that is not judged. */
  miss(ordinal: number, span: TimeSpan): void {
    this.#add(gapOf(ordinal, span, this.#target.baseUrl));
  }

  /** Judges new answers together with earlier ones by the rules of several answers. */
  judgeWindow(law = this.#law.ofSeveral): void {
    this.#window.sort();
    const { entries } = this.#window;
    const before = this.#judgedUpTo;
    const judged = this.#examine(entries, law, (ordinal) => ordinal > before);
    if (law.questions.length > 0) {
      const broken = new Set(judged.findings.map(({ rule }) => rule));
      this.#observations = observe(law.questions, judged.evidence, broken);
    }
    this.#judgedUpTo = entries.reduce((newest, { ordinal }) => Math.max(newest, ordinal), before);
    this.#fresh = { entries: 0, answers: 0, bytes: 0 };
    this.#counted.forgetBefore(entries.reduce((oldest, { ordinal }) => Math.min(oldest, ordinal), Infinity));
  }

  /** Judges the window by all rules and answers the open questions. */
  conclude(): void {
    this.judgeWindow(this.#law.ofAll);
  }

  /** Returns the findings since the last report. */
  report(): TrafficReport {
    const found = this.#found;
    this.#found = [];
    return { found, tallies: this.#tallies.take(), observations: this.#observations };
  }

  #examine(entries: readonly Entry[], catalogue: Catalogue, isNew: (ordinal: number) => boolean): Examined {
    const exchanges = entries.map((entry) => entry.exchange);
    const recording = { target: this.#target, seed: 0, exchanges };
    const readings = this.#readings;
    const judged = examine(this.#spec, recording, { catalogue, readings, mostBreaches, replay: () => '' });
    const ordinalOf = ({ index }: Answer): number => entries[index]?.ordinal ?? 0;
    for (const appliedRule of judged.appliedRules) {
      this.#tallies.add(tallyRule(appliedRule, (answer) => isNew(ordinalOf(answer))));
      const byFinding = Map.groupBy(appliedRule.breaches, (breach) =>
        fingerprint(appliedRule.rule.id, breach),
      );
      for (const [fingerprint, breaches] of byFinding) {
        const finding = judged.findings.find((finding) => finding.fingerprint === fingerprint);
        const found = finding && findUncounted(finding, breaches, entries, this.#counted);
        if (found) this.#found.push(found);
      }
    }
    return judged;
  }

  /** Learns pools: one with candles exists, so that proper requests for it must be answered. */
  #learnConventions({ evidence: { candleAnswers } }: Examined): void {
    const pools = new Map(Object.entries(this.#target.pools).map(([space, ids]) => [space, new Set(ids)]));
    let isNews = false;
    for (const { requested, candles } of candleAnswers) {
      if (candles.length === 0) continue;
      const { space } = operationById(this.#spec, requested.operation);
      const known = pools.get(space) ?? new Set<PoolId>();
      isNews ||= !known.has(requested.pool);
      pools.set(space, known.add(requested.pool));
    }
    if (!isNews) return;
    const newest = [...pools].map(([space, ids]) => [space, [...ids].slice(-mostPools)]);
    this.#target = { ...this.#target, pools: Object.fromEntries(newest) };
  }
}

/** Pools of one space that are stored; a hostile target may have any number. */
const mostPools = 1000;
