import type { Spec } from '@candleproof/document/spec/spec';
import { applyBaseline, type Baseline } from '@candleproof/law/judge/baseline';
import { updateBaseline } from '@candleproof/law/judge/baseline-update';
import type { Judged } from '@candleproof/law/judge/judge';
import { drawnCases } from '@candleproof/law/rules/error-cases';
import type { Fault } from '@candleproof/reference-service/faults/fault';
import { makeDistortion } from '@candleproof/reference-service/faults/registry';
import { day, directions, findSeed, nothingKnown } from 'candleproof/kill-matrix/stage';
import { MemoryStage, type RecordedChecks } from './recorded-checks.ts';

type Scene = keyof typeof directions;

type Pinned = { readonly checks: RecordedChecks; readonly baseline: Baseline };

/** Judges faults by recorded checks of a service in memory, one recording for each scene and seed. */
export class FaultJudge {
  readonly #spec: Spec;
  readonly #stage: MemoryStage;
  readonly #pinned = new Map<string, Promise<Pinned>>();

  constructor(spec: Spec) {
    this.#spec = spec;
    this.#stage = new MemoryStage(spec);
  }

  /** Judges a fault in its simplest scene, with this seed or the first one that sends the request that it needs. */
  async judge(fault: Fault, seed: number): Promise<Judged> {
    const { checks, baseline } = await this.#record(fault.shows as Scene, this.#findSeed(fault.drawn, seed));
    return applyBaseline(checks.judgeWith([makeDistortion({ fault })]), baseline, day);
  }

  /** Judges the healthy service in the scenes recorded so far. */
  async judgeHealthy(): Promise<readonly Judged[]> {
    const pinned = await Promise.all(this.#pinned.values());
    return pinned.map(({ checks, baseline }) => applyBaseline(checks.judgeWith([]), baseline, day));
  }

  /** Trials of keys are all sent, whatever the seed. */
  #findSeed(drawn: string | undefined, seed: number): number {
    const isDrawn = drawnCases.some((drawnCase) => drawnCase === drawn);
    return isDrawn && drawn !== undefined ? findSeed(this.#spec, drawn, this.#stage.target) : seed;
  }

  #record(scene: Scene, seed: number): Promise<Pinned> {
    const name = `${scene} ${seed}`;
    const known = this.#pinned.get(name) ?? this.#pin(scene, seed);
    this.#pinned.set(name, known);
    return known;
  }

  async #pin(scene: Scene, seed: number): Promise<Pinned> {
    const checks = await this.#stage.record(directions[scene], seed);
    return { checks, baseline: updateBaseline(checks.healthy, nothingKnown, day).baseline };
  }
}
