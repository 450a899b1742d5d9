import type { Gated, GatedFile, GateRange } from './gated.ts';

/** A range of a plan, with the reasons for it. */
type Planned = { readonly from: string; readonly to: string; readonly why: string };

/** A plan of what mends the files of a gate; it names places and invents no price. */
export type RepairPlan = {
  readonly now: string;
  readonly files: readonly {
    readonly file: string;
    readonly sha256?: string;
    readonly interval?: string;
    /** Ranges to fetch again from the source; `to` is exclusive. */
    readonly fetch: readonly Planned[];
    /** Rows to drop by their lines, or the cells of some columns. */
    readonly drop: readonly (Planned & {
      readonly lines: readonly (readonly [first: number, last: number])[];
      readonly columns: readonly string[] | 'all';
    })[];
    /** Places at which only a person decides: a split, or a change of unit, from there on. */
    readonly decide: readonly (Planned & { readonly line: number })[];
  }[];
};

/** Doubts about all rows from a place on, which no row fetched again takes away. */
const levels = ['price/jump', 'volume/level', 'volume/running-total', 'table/open-and-close-swapped'];

/** Plans the repair of judged files. */
export function planRepair({ now, files, ranges }: Gated): RepairPlan {
  const wrong = ranges.filter(({ certainty }) => certainty !== 'observed');
  return {
    now,
    files: files.flatMap((file) => listNames(file).map((name) => planFile(file, name, wrong))),
  };
}

function listNames({ file, sha256, parts }: GatedFile): readonly { file: string; sha256?: string }[] {
  return parts ?? [{ file, ...(sha256 !== undefined && { sha256 }) }];
}

function planFile(
  { interval }: GatedFile,
  { file, sha256 }: { file: string; sha256?: string },
  wrong: readonly GateRange[],
): RepairPlan['files'][number] {
  const own = wrong.filter((range) => range.file === file);
  const rows = own.filter(({ doubt = '' }) => !levels.includes(doubt));
  return {
    file,
    ...(sha256 !== undefined && { sha256 }),
    ...(interval !== undefined && { interval }),
    fetch: joinRanges(rows.filter(({ kind }) => kind !== 'duplicate')),
    drop: rows
      .filter(({ lines = [] }) => lines.length > 0)
      .map((range) => ({ lines: range.lines ?? [], columns: range.columns ?? 'all', ...describe(range) })),
    decide: own
      .filter(({ doubt = '' }) => levels.includes(doubt))
      .map((range) => ({ line: range.line, ...describe(range) })),
  };
}

function describe({ fromIso, toIso, kind, detail }: GateRange): Planned {
  return { from: fromIso, to: toIso, why: `${kind}: ${detail}` };
}

/** Joins ranges that touch one another. */
function joinRanges(ranges: readonly GateRange[]): Planned[] {
  const joined: { from: number; to: number; fromIso: string; toIso: string; kinds: Set<string> }[] = [];
  for (const { from, to, fromIso, toIso, kind } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || from > last.to)
      joined.push({ from, to, fromIso, toIso, kinds: new Set([kind]) });
    else {
      last.kinds.add(kind);
      if (to > last.to) Object.assign(last, { to, toIso });
    }
  }
  return joined.map(({ fromIso, toIso, kinds }) => ({
    from: fromIso,
    to: toIso,
    why: [...kinds].join(', '),
  }));
}
