/** An interval as an API writes it: its seconds, and the parts of its word. */
export type IntervalWord = {
  readonly seconds: number;
  /** Text before and after the number and the unit. */
  readonly before: string;
  readonly after: string;
  /** Empty for a word such as `hour`. */
  readonly count: string;
  readonly unit: string;
  /** Text between the number and the unit, such as `_`. */
  readonly between: string;
  readonly form: 'count first' | 'unit first' | 'steps, count first' | 'steps, unit first' | 'number';
};

const unitSeconds: Readonly<Record<string, number>> = {
  ...alike(1, 's sec secs second seconds'),
  ...alike(60, 'm min mins minute minutes'),
  ...alike(3600, 'h hr hrs hour hours hourly'),
  ...alike(86_400, 'd day days daily'),
  ...alike(604_800, 'w wk week weeks weekly'),
};

const numbers: Readonly<Record<string, number>> = { one: 1, five: 5, ten: 10, fifteen: 15, thirty: 30 };

function alike(seconds: number, words: string): Readonly<Record<string, number>> {
  return Object.fromEntries(words.split(' ').map((word) => [word, seconds]));
}

const any = Object.keys(unitSeconds)
  .sort((one, other) => other.length - one.length)
  .join('|');
const countFirst = new RegExp(`^()(\\d{0,5}|one|five|ten|fifteen|thirty)([-_ ]?)(${any})(utc)?$`, 'i');
const unitFirst = new RegExp(`^(${any})([-_ ]?)(\\d{1,4})$`, 'i');
const inSteps = new RegExp(`^(?:(\\d{1,4})/(${any})|(${any})/(\\d{1,4}))$`, 'i');
/** A word before the unit, such as `histohour` or `candle_1h`; letters that end in a unit of one letter are no word. */
const prefixed = new RegExp(
  `^([a-z]{2,12}?[-_]?)(\\d{0,4})()(${any.replace(/\|[a-z](?=\||$)/g, '')}|(?<=\\d)[a-z])(utc)?$`,
  'i',
);

/**
 * Reads the word of an interval; undefined for any other text. A number alone is one of minutes or seconds if it fits
 * `step`, the seconds between the rows.
 */
export function readIntervalWord(text: string, step = Number.NaN): IntervalWord | undefined {
  if (/^\d{1,6}$/.test(text)) {
    const unit = Number(text) === step ? 's' : Number(text) * 60 === step ? 'm' : undefined;
    if (unit === undefined) return undefined;
    return { seconds: step, ...{ before: '', after: '', between: '', count: text, unit, form: 'number' } };
  }
  const steps = inSteps.exec(text);
  if (steps) {
    const [, first, firstUnit, lastUnit, last] = steps;
    const form = first === undefined ? 'steps, unit first' : 'steps, count first';
    return make({ count: first ?? last ?? '', unit: firstUnit ?? lastUnit ?? '', form }, step);
  }
  const plain = countFirst.exec(text) ?? prefixed.exec(text);
  if (plain) {
    const [, before = '', count = '', between = '', unit = '', after = ''] = plain;
    return make({ before, count, between, unit, after, form: 'count first' }, step);
  }
  const [, unit, between = '', count] = unitFirst.exec(text) ?? [];
  return unit === undefined || count === undefined
    ? undefined
    : make({ count, between, unit, form: 'unit first' }, step);
}

type WordParts = Pick<IntervalWord, 'count' | 'unit' | 'form'> &
  Partial<Pick<IntervalWord, 'before' | 'after' | 'between'>>;

function make(
  { before = '', after = '', between = '', count, unit, form }: WordParts,
  step: number,
): IntervalWord | undefined {
  const length = unitSeconds[unit.toLowerCase()];
  const times = numbers[count.toLowerCase()] ?? Number(count || 1);
  if (length === undefined || times === 0) return undefined;
  // A capital M behind its number is a month, unless the rows say otherwise.
  const isMonth = unit === 'M' && form !== 'unit first' && times * 60 !== step;
  return isMonth ? undefined : { seconds: times * length, before, after, between, count, unit, form };
}

type Words = Readonly<Record<RungUnit, readonly string[]>>;

/** Words of units that occur beside a word of one, likeliest first. */
const companions: readonly (readonly [word: RegExp, words: Words])[] = [
  [/ly$/i, { minute: ['m', 'min'], hour: ['hourly'], day: ['daily'] }],
  [/^[smhdw]$/i, { minute: ['m', 'min'], hour: ['h', 'hour'], day: ['d', 'day'] }],
  [/^(min|hr|hrs|sec)$/i, { minute: ['min', 'm'], hour: ['hour', 'hr', 'h'], day: ['day', 'daily', 'd'] }],
  [/s$/i, { minute: ['minutes', 'mins', 'min'], hour: ['hours', 'hour'], day: ['days', 'day'] }],
  [/./, { minute: ['min', 'minute', 'mins'], hour: ['hour'], day: ['day', 'daily'] }],
];

/** The rungs of which an API usually has an interval each. */
export type RungUnit = 'minute' | 'hour' | 'day';

function isBare({ count, form, unit }: IntervalWord): boolean {
  return count === '' && form === 'count first' && !/ly$/i.test(unit);
}

/** An interval by one of its spellings. */
type Spelled = { readonly name: string; readonly seconds: number };

const lengths = { minute: 60, hour: 3600, day: 86_400 } as const;

/** Spells an interval of another rung as an API may that writes the given one, likeliest first. */
export function spellInterval(known: IntervalWord, rung: RungUnit): Spelled[] {
  const count = rung === 'minute' && !isBare(known) ? 5 : 1;
  const seconds = count * lengths[rung];
  const name = (text: string): Spelled => ({ name: text, seconds });
  if (known.form === 'number' && known.unit === 's') return [name(String(seconds))];
  if (known.form === 'number')
    return (rung === 'day' ? ['1440', '1D', 'D'] : [String(seconds / 60)]).map(name);
  return spellUnits(known, rung).flatMap((word) => {
    const alone = known.form === 'steps, count first' && count > 1 && known.count === '1';
    const plural = isCountedInWords(known) && count > 1 ? `${word}s` : word;
    return [
      ...joinWord(known, writeCount(known, count), plural).map(name),
      ...(alone ? [{ name: `1/${word}`, seconds: lengths[rung] }] : []),
    ];
  });
}

/** Returns whether the number of an interval is a word, as in `OneHour`. */
function isCountedInWords({ count }: IntervalWord): boolean {
  return count.toLowerCase() in numbers;
}

function writeCount(known: IntervalWord, count: number): string {
  const word = Object.keys(numbers).find((each) => numbers[each] === count) ?? '';
  return isCountedInWords(known) ? likeCase(word, known.count) : String(count);
}

function joinWord(known: IntervalWord, count: string, word: string): string[] {
  const { form, before, after, between } = known;
  if (form === 'unit first')
    return [`${word}${between}${count}`, ...(count === '1' && between === '' ? [word] : [])];
  if (form === 'steps, count first') return [`${count}/${word}`];
  if (form === 'steps, unit first') return [count === '1' ? word : `${word}/${count}`];
  const bare = `${before}${word}${after}`;
  if (isBare(known) || /ly$/i.test(word)) return [bare];
  const isWord = word.length > 1 && count === '1' && known.count !== '1' && between === '';
  return [`${before}${count}${between}${word}${after}`, ...(isWord ? [bare] : [])];
}

function spellUnits(known: IntervalWord, rung: RungUnit): string[] {
  const { unit, form } = known;
  const [, found] = companions.find(([word]) => word.test(unit)) ?? [];
  const isPlain = isBare(known) || form === 'steps, count first';
  const isWhole = /^(second|minute|hour|day)$/i.test(unit);
  // 60min goes with 5min: the same word with another number.
  const same = unitSeconds[unit.toLowerCase()] === lengths[rung] ? [unit.toLowerCase()] : [];
  const listed = [...new Set([...same, ...(found?.[rung] ?? [])])];
  // A word written out beside a separator or behind which its number stands goes with others written out.
  const isBeside = known.between !== '' || form === 'unit first' || known.before !== '';
  const isSpelledOut = isWhole && (isBeside || isCountedInWords(known));
  const whole = listed.toSorted((one, other) => Number(other === rung) - Number(one === rung));
  const words = isPlain && isWhole && rung === 'minute' ? ['minute'] : isSpelledOut ? whole : listed;
  return words.flatMap((word) => {
    const alike = likeCase(word, unit);
    // Letters of the other case are as likely for a day, but a capital M behind its number is a month.
    if (alike === 'M' && form !== 'unit first') return ['m', 'M'];
    return word === 'd' ? [alike, swapCase(alike)] : [alike];
  });
}

function likeCase(word: string, like: string): string {
  if (like === like.toUpperCase()) return word.toUpperCase();
  return /^[A-Z]/.test(like) ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word;
}

function swapCase(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase();
}
