import type { Run } from '@candleproof/law/judge/verdict';
import { runPath, siteName } from '../paths.ts';
import {
  compareTexts,
  instantKey,
  type ListedRule,
  makeRecord,
  type RunRecord,
  slugify,
  sortByTime,
  type TargetRecord,
} from '../records.ts';
import type { RuleRecord } from '../site-records.ts';
import type { SiteFolder } from './site-folder.ts';

type Draft = {
  readonly name: string;
  readonly ruleLists: Map<string, readonly ListedRule[]>;
  readonly runs: Map<string, RunRecord>;
};

/** The records of all targets and rules of a site: the existing ones, and those of added runs. */
export class KeptTargets {
  readonly #targets = new Map<string, Draft>();
  readonly #rules = new Map<string, RuleRecord>();

  /** Reads the site's JSON; a run that it does not list is read from its folder. */
  constructor(site: SiteFolder) {
    const rules = site.has('api/rules.json') ? site.piece('rules', 'api/rules.json')?.rules : [];
    for (const rule of rules ?? []) this.#offer(rule);
    for (const slug of site.list('t')) {
      // The texts of rules come from the runs: with a bad rules.json all runs are read again.
      const kept = rules && site.piece('target', `api/targets/${slug}.json`);
      const runs = new Map(kept?.runs.map((run) => [run.id, run]));
      const present = site.list(`t/${slug}/runs`).filter((id) => /^[0-9a-f]{16}$/.test(id));
      if (kept)
        this.#targets.set(slug, {
          name: kept.name,
          ruleLists: new Map(Object.entries(kept.ruleLists)),
          runs: new Map(),
        });
      for (const id of present) {
        const record = runs.get(id);
        if (record) this.#targets.get(slug)?.runs.set(id, record);
        else {
          const run = site.piece('run', `${runPath(slug, id)}run.json`);
          if (run) this.take(run, id, slug);
        }
      }
    }
  }

  /** Omits an unreadable run; returns false if it was not there. */
  drop(slug: string, id: string): boolean {
    return this.#targets.get(slug)?.runs.delete(id) === true;
  }

  /** Adds a run to its target; one that the site has stays in its folder. */
  take(run: Run, id: string, slug = slugify(siteName(run.target))): void {
    const { record, rules } = makeRecord(run, id);
    const name = siteName(run.target);
    const draft = this.#targets.get(slug) ?? { name, ruleLists: new Map(), runs: new Map() };
    this.#targets.set(slug, draft);
    draft.ruleLists.set(record.rules, rules);
    draft.runs.set(id, record);
    const { startedAt } = run;
    for (const { id: rule, level, section, statement, why } of run.rules)
      this.#offer({
        ...{ id: rule, level, section, statement, why },
        ...{ target: slug, run: id, startedAt },
      });
  }

  /** Returns every target by its folder's name, its runs in order. */
  targets(): TargetRecord[] {
    return [...this.#targets]
      .toSorted(([a], [b]) => compareTexts(a, b))
      .map(([slug, { name, ruleLists, runs }]) => ({
        ...{ name, slug },
        ruleLists: Object.fromEntries([...ruleLists].toSorted(([a], [b]) => compareTexts(a, b))),
        runs: sortByTime([...runs.values()]),
      }));
  }

  rules(): RuleRecord[] {
    return [...this.#rules.values()].toSorted((a, b) => compareTexts(a.id, b.id));
  }

  /** Keeps a rule's texts from the newest run that has it. */
  #offer(rule: RuleRecord): void {
    const kept = this.#rules.get(rule.id);
    const newness = ({ startedAt, run }: RuleRecord): string => instantKey({ startedAt, id: run });
    if (!kept || newness(rule) > newness(kept)) this.#rules.set(rule.id, rule);
  }
}
