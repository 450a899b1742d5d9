import { readdirSync } from 'node:fs';
import type { BreachCase, NearMiss } from './breach-case.ts';

/** Loads every table of breaches from the files beside the rules. */
export async function loadBreachTables(): Promise<{ breaches: BreachCase[]; nearMisses: NearMiss[] }> {
  const law = new URL('../law/', import.meta.url);
  const files = readdirSync(law, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.breaches.ts'))
    .sort();
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, law).href) as Promise<Record<string, unknown>>),
  );
  const named = (suffix: string): unknown[] =>
    modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, table]) => (name.endsWith(suffix) ? (table as unknown[]) : [])),
    );
  return {
    breaches: named('Breaches') as BreachCase[],
    nearMisses: named('NearMisses') as NearMiss[],
  };
}

/** Returns the first case of every rule: a small sample that covers all rules. */
export async function sampleBreaches(): Promise<BreachCase[]> {
  const { breaches } = await loadBreachTables();
  return [...Map.groupBy(breaches, (breach) => breach.rule).values()].flatMap((all) => all.slice(0, 1));
}
