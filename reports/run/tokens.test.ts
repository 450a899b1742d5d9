import { loadStyles } from '@candleproof/load/page/chart';
import { siteStyles } from '@candleproof/site/publishing/site-assets';
import { expect, test } from '@playwright/test';
import { listSizes, listSpaces, spaceSteps, typeSizes } from '../testing/style-scale.ts';
import { styles } from './styles.ts';
import { proseTableStyles } from './table.ts';
import { palette } from './tokens.ts';

type Color = keyof typeof palette;

const grounds: readonly Color[] = ['paper', 'sheet', 'wash'];

/** Returns the contrast of two colors such as `#17683e`, by WCAG. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  return weigh(linear(color));
}

function linear(color: string): number[] {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
}

function weigh([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Deuteranopia as Machado, Oliveira and Fernandes (2009) simulate it. */
const deuteranopia = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
] as const;

/** Returns a color, as hexadecimal digits, as an eye without green cones sees it. */
function withoutGreen(color: string): string {
  const seen = linear(color);
  const parts = deuteranopia.map((row) => row.reduce((sum, share, at) => sum + share * (seen[at] ?? 0), 0));
  return `#${parts.map((part) => encode(Math.min(1, Math.max(0, part)))).join('')}`;
}

function encode(part: number): string {
  const value = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
  return Math.round(255 * value)
    .toString(16)
    .padStart(2, '0');
}

for (const [scheme, name] of (['light', 'dark'] as const).entries()) {
  const of = (color: Color): string => palette[color][scheme as 0 | 1];

  test(`texts are legible on every ground in ${name}`, () => {
    for (const text of ['ink', 'soft', 'pass', 'fail', 'warn', 'link', 'calm'] as const)
      for (const ground of grounds)
        expect(contrast(of(text), of(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    for (const text of ['pass', 'fail', 'warn'] as const)
      expect(contrast(of(text), of(`${text}-wash`)), `${text} on its wash`).toBeGreaterThanOrEqual(4.5);
  });

  test(`bars stand out from the ground, and passed from failed threefold to every eye, in ${name}`, () => {
    for (const area of ['ok', 'bad', 'warn', 'flame'] as const)
      expect(contrast(of(area), of('sheet')), area).toBeGreaterThanOrEqual(3);
    for (const see of [String, withoutGreen]) {
      expect(contrast(see(of('ok')), see(of('bad'))), see.name).toBeGreaterThanOrEqual(3);
      for (const area of ['ok', 'bad'] as const)
        expect(contrast(see(of(area)), see(of('sheet'))), `${see.name} ${area}`).toBeGreaterThanOrEqual(3);
      // Amber and red differ too little: what is doubtful is hatched, in lines that stand out from their ground.
      expect(contrast(see(of('warn')), see(of('warn-wash'))), `${see.name} hatch`).toBeGreaterThanOrEqual(3);
    }
  });
}

test('type has five sizes and space seven steps on every page', () => {
  const sheets = [styles, siteStyles, loadStyles, proseTableStyles].join('\n');
  expect(listSizes(sheets)).toEqual(new Set(typeSizes));
  expect(listSpaces(sheets)).toEqual(new Set(spaceSteps));
});
