import type { KindOfUnseen } from './fault.ts';

export type MeasuredCase = { number: number; title: string; kind: KindOfUnseen | 'plain' | 'healthy' };

export type MeasuredRun = {
  subject: MeasuredCase;
  seed: number;
  code: number;
  failed: { id: string; level: string }[];
  sent: number;
  shown: number;
};

type Of = { subject: MeasuredCase; runs: MeasuredRun[] };

const kinds: Record<KindOfUnseen, string> = {
  A: 'plain',
  B: 'under a condition',
  C: 'odd requests',
  D: 'values',
  E: 'ranges',
  F: 'memory',
  G: 'keys, counters and bodies',
};

/** Tables of the faults by kind and by title and of the healthy services, in Markdown. */
export function tabulate(label: string, results: readonly MeasuredRun[]): string {
  const usual = results.filter(({ subject }) => subject.kind === 'plain');
  const known = new Set(usual.flatMap(({ failed }) => failed.map(({ id }) => id)));
  const numbers = [...new Set(results.map(({ subject }) => subject.number))].filter(Boolean);
  const all = numbers
    .sort((a, b) => a - b)
    .flatMap((number): Of[] => {
      const runs = results.filter(({ subject }) => subject.number === number);
      return runs[0] ? [{ subject: runs[0].subject, runs }] : [];
    });
  const faults = all.filter(({ subject }) => subject.kind !== 'healthy');
  const broken = (run: MeasuredRun) => run.failed.filter(({ id }) => !known.has(id));
  const found = (run: MeasuredRun) => run.code === 1 && broken(run).length > 0;
  const usually = `The service itself: exit ${[...new Set(usual.map(({ code }) => code))]}, fails ${[...known].join() || 'nothing'}`;
  return [
    `## ${label}\n\n${usually}.\n`,
    kindTable(faults, found),
    titleTable(faults, found),
    healthyTable(
      all.filter(({ subject }) => subject.kind === 'healthy'),
      broken,
    ),
  ].join('\n');
}

function kindTable(faults: readonly Of[], found: (run: MeasuredRun) => boolean): string {
  const present = Object.entries(kinds).filter(([kind]) =>
    faults.some(({ subject }) => subject.kind === kind),
  );
  const rows = [...present, ['', 'all'] as const].map(([kind, name]) => {
    const mine = faults.filter(({ subject }) => !kind || subject.kind === kind);
    const runs = mine.flatMap((fault) => fault.runs);
    const shown = runs.filter((run) => run.shown > 0);
    const cells = [
      mine.length,
      mine.filter((fault) => fault.runs.some((run) => run.shown > 0)).length,
      mine.filter((fault) => fault.runs.some(found)).length,
      mine.filter((fault) => fault.runs.every(found)).length,
      `${runs.filter(found).length} of ${runs.length}`,
      `${shown.filter(found).length} of ${shown.length}`,
      runs.length ? Math.round(runs.reduce((sum, { sent }) => sum + sent, 0) / runs.length) : 0,
    ];
    return `| ${kind} ${name} | ${cells.join(' | ')} |`;
  });
  const head = '| kind | faults | shown by any seed | found by any | found by all | runs that find it |';
  return `${head} of runs that show it | requests |\n|---|--:|--:|--:|--:|--:|--:|--:|\n${rows.join('\n')}\n`;
}

function titleTable(faults: readonly Of[], found: (run: MeasuredRun) => boolean): string {
  const rows = faults.map(({ subject, runs }) => {
    const words = bySeed(runs).map((run) => {
      if (found(run)) return 'found';
      return run.shown ? 'missed' : 'not shown';
    });
    return `| ${subject.number} | ${subject.kind} | ${subject.title} | ${words.join(', ')} |`;
  });
  return `| | kind | fault | by seed |\n|--:|---|---|---|\n${rows.join('\n')}\n`;
}

function healthyTable(services: readonly Of[], broken: (run: MeasuredRun) => MeasuredRun['failed']): string {
  const rows = services.map(({ subject, runs }) => {
    const accusations = [...new Set(runs.flatMap(broken).map(({ id, level }) => `${level} ${id}`))];
    const codes = bySeed(runs).map(({ code }) => code);
    return `| ${subject.title} | ${codes.join(', ')} | ${accusations.join(', ') || 'none'} |`;
  });
  return `| healthy service | exit codes | accused of |\n|---|---|---|\n${rows.join('\n')}\n`;
}

const bySeed = (runs: readonly MeasuredRun[]) => [...runs].sort((a, b) => a.seed - b.seed);
