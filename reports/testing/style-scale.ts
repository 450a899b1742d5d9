/** The sizes of type and the steps of space that style sheets may use. */
export const typeSizes = ['xs', 'sm', 'md', 'lg', 'xl'].map((size) => `var(--${size})`);
export const spaceSteps = [1, 2, 3, 4, 5, 6, 7].map((step) => `var(--s${step})`);

/** Returns the sizes of type in a style sheet: relative ones follow their text, and paper has its own. */
export function listSizes(sheet: string): ReadonlySet<string> {
  const sizes = [...sheet.matchAll(/font-size: ([^;}]*?)(?=;| ?\})/g)].map(([, size = '']) => size);
  return new Set(sizes.filter((size) => !/^([\d.]+(em|pt|px)|inherit)$/.test(size)));
}

/** Returns the measures of the margins, paddings and gaps in a style sheet. */
export function listSpaces(sheet: string): ReadonlySet<string> {
  const spaces = [...sheet.matchAll(/(?<![\w-])(?:margin|padding|gap)(?:-[a-z]+)?: ([^;}]*)/g)];
  return new Set(spaces.flatMap(([, space = '']) => space.match(/(?<![\w-])[\d.]+rem|var\(--s\d\)/g) ?? []));
}
