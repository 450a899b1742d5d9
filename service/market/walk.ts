import type { Draws } from './random.ts';

/** A log price and the log of how nervous it is just now, as factor on the usual step. */
export type Walk = { readonly level: number; readonly nervousness: number };

/** Where a walk lives: it is pulled back to the anchor so that years of extension stay plausible. */
export type WalkShape = {
  /** Natural logarithm of the price it is pulled to. */
  readonly anchor: number;
  /** Usual size of one minute's step, in log price. */
  readonly step: number;
};

const CALM_DOWN = 0.995;
const UNREST = 0.05;
const PULL = 1e-5;

/**
 * The walk one minute later. Nervousness decays slowly, so calm and wild hours come in clusters.
 * Uses the draws 0 to 3; a walk that does not move keeps its level bit by bit.
 */
export function stepped(walk: Walk, shape: WalkShape, draws: Draws, moves: boolean): Walk {
  const nervousness = CALM_DOWN * walk.nervousness + UNREST * draws.normal(0);
  if (!moves) return { level: walk.level, nervousness };
  const drift = PULL * (shape.anchor - walk.level);
  return { level: walk.level + drift + shape.step * Math.exp(nervousness) * draws.normal(2), nervousness };
}
