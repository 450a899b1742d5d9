export type ParsedPoint = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export type ParsedFamily = {
  readonly type: string;
  readonly help: string;
  readonly points: readonly ParsedPoint[];
};

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const lineForm = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelForm = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(?:,(?=.)|$)/;
const parts = ['_bucket', '_sum', '_count'];

/**
 * Reads the text format 0.0.4 more strictly than Prometheus: every family has HELP, then TYPE, then its points, all in
 * one place; no point comes twice; counters end in `_total` and histograms add up.
 * @throws Error naming the line
 */
export function parsePrometheus(text: string): Map<string, ParsedFamily> {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, { type: string; help: string; points: ParsedPoint[] }>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.split('\n').slice(0, -1)) {
    const refuse = (why: string): never => {
      throw new Error(`${why}: ${line}`);
    };
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    const family = families.get(word ? name : current);
    if (word === 'HELP') {
      if (family || !metricName.test(name)) refuse('a second HELP, or no name');
      if (/\\(?![\\n])/.test(rest.replaceAll('\\\\', ''))) refuse('an unknown escape');
      families.set(name, { type: '', help: unescapeLabel(rest), points: [] });
      current = name;
    } else if (word === 'TYPE') {
      if (!family || name !== current || family.type !== '' || family.points.length > 0)
        refuse('TYPE out of place');
      if (!/^(counter|gauge|histogram)$/.test(rest)) refuse('an unknown type');
      if (family) family.type = rest;
    } else {
      const point = parsePoint(line) ?? refuse('neither comment nor point');
      if (!family || family.type === '' || !isOfFamily(point.name, current, family.type))
        refuse('not of this family');
      const key = JSON.stringify([point.name, Object.entries(point.labels).toSorted()]);
      if (seen.has(key)) refuse('twice');
      seen.add(key);
      family?.points.push(point);
    }
  }
  for (const [name, family] of families) check(name, family);
  return families;
}

function parsePoint(line: string): ParsedPoint | undefined {
  const [, name, inside = '', number = ''] = lineForm.exec(line) ?? [];
  if (name === undefined) return undefined;
  const labels: Record<string, string> = {};
  for (let rest = inside; rest !== ''; ) {
    const [whole, label, value = ''] = labelForm.exec(rest) ?? [];
    if (whole === undefined || label === undefined || Object.hasOwn(labels, label)) return undefined;
    labels[label] = unescapeLabel(value);
    rest = rest.slice(whole.length);
  }
  const value =
    { '+Inf': Number.POSITIVE_INFINITY, '-Inf': Number.NEGATIVE_INFINITY }[number] ?? Number(number);
  return Number.isNaN(value) && number !== 'NaN' ? undefined : { name, labels, value };
}

function unescapeLabel(text: string): string {
  return text.replace(/\\([\\"n])/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

function isOfFamily(name: string, family: string, type: string): boolean {
  return type === 'histogram' ? parts.some((part) => name === family + part) : name === family;
}

function check(name: string, { type, points }: ParsedFamily): void {
  if (points.length === 0) throw new Error(`${name} has no points`);
  if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`${name} is a ${type}`);
  if (type !== 'histogram') return;
  const buckets = points.filter((point) => point.name.endsWith('_bucket')).map(({ value }) => value);
  const isRising = buckets.every((value, index) => value >= (buckets[index - 1] ?? 0));
  const last = points.filter((point) => point.name.endsWith('_bucket')).at(-1);
  const count = points.find((point) => point.name.endsWith('_count'))?.value;
  if (!isRising || last?.labels.le !== '+Inf' || last.value !== count)
    throw new Error(`${name} does not add up`);
}
