import { type RunOutcome, toRun, withheldRun } from '../../conformance/run/run.ts';
import type { Spec } from '../../contract/document/spec.ts';
import { judge } from '../../contract/judge/judge.ts';
import { withReason } from '../../contract/judge/reach-verdict.ts';
import { catalogue } from '../../contract/law/catalogue.ts';
import type { Exchange, TargetFacts } from '../../contract/reading/exchange.ts';
import { version } from '../../files/package-files.ts';
import { redactorFor } from '../../http/secrets/redaction.ts';
import type { LoadMessage, LoadRun } from '../load-run.ts';
import { singleAnswerRules } from '../single-answer.ts';

/** Exchanges kept of one rule, and of all. */
const most = { perRule: 3, inAll: 30 };

/** The first answers that were wrong, a few of each kind, with the key taken out. */
export class KeptExchanges {
  readonly #clean: (exchange: Exchange) => Exchange;
  readonly #all: Exchange[] = [];
  readonly #perRule = new Map<string, number>();

  constructor(apiKey: string | undefined) {
    this.#clean = redactorFor(apiKey === undefined ? [] : [{ credential: 'api-key', text: apiKey }]);
  }

  keep({ rules, exchange }: Extract<LoadMessage, { kind: 'breach' }>): void {
    const isNew = rules.some((rule) => (this.#perRule.get(rule) ?? 0) < most.perRule);
    if (!isNew || this.#all.length >= most.inAll) return;
    for (const rule of rules) this.#perRule.set(rule, (this.#perRule.get(rule) ?? 0) + 1);
    this.#all.push(this.#clean(exchange));
  }

  /** In the order of time. */
  get all(): readonly Exchange[] {
    return this.#all.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  }
}

/** The kept exchanges judged as any recording is, with the verdict and the counts of the whole load. */
export function judgeKept(
  spec: Spec,
  facts: TargetFacts,
  exchanges: readonly Exchange[],
  { trial, parts, figures, verdict, reasons }: LoadRun,
  replay: (rule: string) => string,
): RunOutcome {
  const recording = { target: { ...facts, soleUser: false }, seed: 0, exchanges };
  // The kept exchanges are no sample: they show how a rule was broken, and nothing of the others.
  const rules = singleAnswerRules.filter(({ id }) => (figures.rules[id] ?? 0) > 0);
  const law = { ...catalogue, rules, questions: [] };
  const judged = judge(spec, recording, { catalogue: law, replay });
  const run = toRun(
    judged,
    recording,
    { spec, version, catalogue: law },
    {
      startedAt: parts[0]?.startedAt ?? new Date(0).toISOString(),
      finishedAt: parts[0]?.finishedAt ?? new Date(0).toISOString(),
      requests: { sent: figures.sent + 1, budget: trial.budget },
    },
  );
  const reason = { code: 'load-undecided', doubts: reasons } as const;
  if (verdict === 'inconclusive') return { run: withheldRun(run, reason), recording };
  const reasoned = reasons.length > 0 ? withReason(verdict, reason) : { verdict };
  return { run: { ...run, ...reasoned }, recording };
}
