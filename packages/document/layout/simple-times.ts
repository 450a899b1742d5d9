const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Returns the year that two digits mean: from 1970 to 2069. */
export function fullYear(text: string): string {
  if (text.length === 4) return text;
  return `${Number(text) < 70 ? 20 : 19}${text}`;
}

function monthNumber(name: string): string | undefined {
  const at = months.indexOf(name.slice(0, 3).toLowerCase());
  return at === -1 ? undefined : String(at + 1).padStart(2, '0');
}

const pad = (digits: string): string => digits.padStart(2, '0');

/** Forms of dates whose parts have a name or few digits, and the places of year, month and day in each. */
const dates: readonly (readonly [form: RegExp, year: number, month: number, day: number])[] = [
  [/^(\d{1,2})[-\s./]*([a-z]{3,9})\.?[-\s.,/]*(\d{4}|\d\d)(?=$|[T ,])/i, 3, 2, 1],
  [/^([a-z]{3,9})\.?[-\s./]*(\d{1,2})(?:st|nd|rd|th)?,?[-\s./]+(\d{4}|\d\d)(?=$|[T ,])/i, 3, 1, 2],
  [/^(\d{4})[-\s./]*([a-z]{3,9})[-\s./]*(\d{1,2})(?=$|[T ,])/i, 1, 2, 3],
  [/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[T ,])/, 1, 2, 3],
  // 2020年1月3日 in China and Japan, 2020년 1월 3일 in Korea; a month is its first day.
  [/^(\d{4})[年년] ?(\d{1,2})[月월](?: ?(\d{1,2})[日일])?(?=$|[T ,])/, 1, 2, 3],
];

const halfDay = /[T ,]\s*(\d{1,2})(?:[:.](\d\d))?(?:[:.](\d\d(?:\.\d+)?))?[- ]?([ap])\.?m\.?(?=$|[ +-])/i;

/**
 * Writes a time in the form of ISO 8601 as far as its letters and few digits are a matter of form: names of days and
 * months, a.m. and p.m., `GMT+2`. What is left over stays as it is.
 */
export function simplifyTime(text: string): string {
  const bare = text
    .replace(/^(\d{8})(\d{4})(\d\d)?$/, '$1 $2$3')
    .replace(/\s*(\([^)]*\)|\[[^\]]*\])$/, '')
    .replace(/^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+/i, '')
    .replace(/ ?(?:GMT|UTC) ?([+-])(\d{1,2})(?::?(\d\d))?$/i, (_, sign, hours, minutes = '00') => {
      return `${sign}${pad(hours)}:${minutes}`;
    })
    .replace(halfDay, (_, hours, minutes = '00', seconds = '00', half) => {
      const hour = (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
      return ` ${pad(String(hour))}:${minutes}:${seconds}`;
    })
    .replace(/([日일])(?=\d)/, '$1 ')
    .replace(/([T ,])\s*(\d):(\d\d)/, '$10$2:$3');
  return simplifyDate(bare);
}

function simplifyDate(text: string): string {
  for (const [form, year, month, day] of dates) {
    const parts = form.exec(text);
    const name = parts?.[month] ?? '';
    const number = /^\d/.test(name) ? pad(name) : monthNumber(name);
    if (parts && number !== undefined)
      return `${fullYear(parts[year] ?? '')}-${number}-${pad(parts[day] ?? '1')}${text.slice(parts[0].length)}`;
  }
  return text;
}

/** Gives a date that begins with a year of two digits all four. */
export function lengthenYear(text: string): string {
  return text.replace(/^(\d\d)([-/.])(\d\d)\2(\d\d)(?=$|[T ,])/, (all, year, _, month, day) =>
    Number(month) <= 12 && Number(day) <= 31 ? `${fullYear(year)}-${month}-${day}` : all,
  );
}
