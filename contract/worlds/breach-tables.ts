import { readdirSync } from 'node:fs';
import type { BreachCase, NearMiss } from './breach-case.ts';

/** Every table of breaches beside the rules that they break, in whichever file. */
export async function breachTables(): Promise<{ breaches: BreachCase[]; nearMisses: NearMiss[] }> {
  const law = new URL('../law/', import.meta.url);
  const files = readdirSync(law, { recursive: true, encoding: 'utf8' })
    .filter((each) => each.endsWith('.breaches.ts'))
    .sort();
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, law).href) as Promise<Record<string, unknown>>),
  );
  const named = (suffix: string): unknown[] =>
    modules.flatMap((each) =>
      Object.entries(each).flatMap(([name, table]) => (name.endsWith(suffix) ? (table as unknown[]) : [])),
    );
  return {
    breaches: named('Breaches') as BreachCase[],
    nearMisses: named('NearMisses') as NearMiss[],
  };
}

/** One case of each rule, the first of its table: a small sample that no rule is missing from. */
export async function oneOfEachRule(): Promise<BreachCase[]> {
  const { breaches } = await breachTables();
  return [...Map.groupBy(breaches, (each) => each.rule).values()].flatMap((all) => all.slice(0, 1));
}
