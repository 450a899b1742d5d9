/** The colors of every page, in light and dark. Red stands for failures alone. */
export const palette = {
  ...{ paper: ['#f8f7f3', '#111416'], sheet: ['#ffffff', '#191d20'], wash: ['#f3f1ea', '#20252a'] },
  ...{ ink: ['#161b1f', '#e9ebec'], soft: ['#515b63', '#a9b2b9'], line: ['#dedbd1', '#343b41'] },
  ...{ pass: ['#17683e', '#7ed3a2'], fail: ['#b3261e', '#ff8d82'], warn: ['#7a5500', '#f0c062'] },
  ...{ link: ['#174e86', '#93c4f5'], calm: ['#5b5f97', '#aeb2ee'], flame: ['#d2691e', '#f08a3c'] },
  ...{ 'fail-wash': ['#fcefec', '#33201e'], 'pass-wash': ['#eaf4ee', '#182a20'] },
  'warn-wash': ['#fbf2dd', '#302814'],
  /** Fill areas that passed and failed: unlike `pass` and `fail`, they differ in luminance too, threefold to every eye. */
  ...{ ok: ['#66a084', '#367858'], bad: ['#7c1214', '#ffb19e'] },
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

function colors(scheme: 0 | 1): string {
  return Object.entries(palette)
    .map(([name, both]) => `--${name}: ${both[scheme]};`)
    .join(' ');
}

/** Colors, sizes of type and spacings as variables. Light is the base that the dark scheme overrides: paper is light. */
export const tokens = `
:root {
  ${colors(0)}
  --xs: .75rem; --sm: .875rem; --md: 1rem; --lg: 1.25rem; --xl: clamp(1.6rem, 3.4vw, 2.25rem);
  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2rem; --s7: 3rem;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif;
  --mono: ui-monospace, 'Cascadia Mono', 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  color-scheme: light;
}
@media screen and (prefers-color-scheme: dark) { :root { ${colors(1)} color-scheme: dark; } }
`;
