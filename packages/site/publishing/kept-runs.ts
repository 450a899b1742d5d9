import { UsageError } from '@candleproof/files/usage-error';
import type { Run } from '@candleproof/law/judge/verdict';
import { embedJson } from '@candleproof/reports/words/escape';
import { changesFile } from '../pages/difference-pages.ts';
import type { Side } from '../pages/difference-part.ts';
import { exchangesOfFindings, type KeptExchange } from '../pages/exchange-page.ts';
import { runFiles } from '../pages/run-page.ts';
import { exchangePath, runPath, siteName } from '../paths.ts';
import { contentId, slugify } from '../records.ts';
import type { SiteFolder } from './site-folder.ts';
import { parseJson } from './site-pieces.ts';

/** An unreadable run of the site, which is then omitted. */
export class BadRun extends UsageError {
  readonly slug: string;
  readonly id: string;

  constructor(slug: string, id: string) {
    super(`--site: ${runPath(slug, id)}run.json cannot be read: publish that run again`);
    this.slug = slug;
    this.id = id;
  }
}

/** Reads runs of the site; holds the last few, since adjacent runs are compared. */
export class KeptRuns {
  readonly #site: SiteFolder;
  readonly #held = new Map<string, Side>();

  constructor(site: SiteFolder) {
    this.#site = site;
  }

  side(slug: string, id: string): Side {
    const path = runPath(slug, id);
    const held = this.#held.get(path);
    if (held) return held;
    const run = this.#site.piece('run', `${path}run.json`);
    if (!run) throw new BadRun(slug, id);
    const side = { slug, id, run };
    this.#held.set(path, side);
    const [oldest] = this.#held.keys();
    if (this.#held.size > 8 && oldest !== undefined) this.#held.delete(oldest);
    return side;
  }

  /** Adds a run to the site; exchanges of its recording are added to those that the site has. */
  add(run: Run, entries: readonly unknown[] | undefined, all: boolean): void {
    const [slug, id] = [slugify(siteName(run.target)), contentId(run)];
    const wanted = all ? [...(entries?.keys() ?? [])] : exchangesOfFindings(run.findings);
    const given = wanted.flatMap((index) =>
      entries?.[index] === undefined ? [] : [{ index, entry: entries[index] }],
    );
    this.#refuseOther(slug, id, given);
    const kept = new Map(
      [...this.#keptExchanges(slug, id), ...given].map((keptExchange) => [keptExchange.index, keptExchange]),
    );
    this.#put(run, slug, id, [...kept.values()]);
  }

  /** Writes a run's folder again from the data of the site. */
  renew(slug: string, id: string): void {
    this.#put(this.side(slug, id).run, slug, id, this.#keptExchanges(slug, id));
  }

  changes(slug: string, id: string, before: string | undefined): void {
    const old = before === undefined ? undefined : this.side(slug, before);
    this.#site.put(...changesFile(this.side(slug, id), old));
  }

  #put(run: Run, slug: string, id: string, kept: readonly KeptExchange[]): void {
    const sorted = kept.toSorted((a, b) => a.index - b.index);
    for (const file of runFiles({ run, id, slug, kept: sorted })) this.#site.put(...file);
  }

  #keptExchanges(slug: string, id: string): KeptExchange[] {
    return this.#site.list(`${runPath(slug, id)}exchanges`).flatMap((name) => {
      const entry = parseJson(this.#site.read(`${exchangePath(slug, id, Number(name))}entry.json`));
      return entry === undefined ? [] : [{ index: Number(name), entry }];
    });
  }

  /** Refuses other content for an existing address: another recording beside the same run.json is a mistake. */
  #refuseOther(slug: string, id: string, given: readonly KeptExchange[]): void {
    for (const { index, entry } of given) {
      const path = `${exchangePath(slug, id, index)}entry.json`;
      const kept = this.#site.read(path);
      if (kept !== undefined && kept !== embedJson(entry))
        throw new UsageError(
          `--site: ${path} holds another exchange than the recording of this run: publish each run with its own exchanges.har`,
        );
    }
  }
}
