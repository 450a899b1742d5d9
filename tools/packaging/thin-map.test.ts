import { SourceMap } from 'node:module';
import { expect, test } from '@playwright/test';
import { rolldown } from 'rolldown';
import { thinMappings } from './thin-map.ts';

test('a thinned map names the same line of the same source everywhere, in less than half the size', async () => {
  const built = await rolldown({ input: 'packages/gate/gate.ts', platform: 'node', external: /^node:/ });
  const { output } = await built.generate({
    sourcemap: true,
    comments: false,
    minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  });
  await built.close();
  const [{ code, map }] = output;
  if (!map) throw new Error('there is no map');
  const mappings = thinMappings(map.mappings);
  expect(mappings.length).toBeLessThan(map.mappings.length / 2);
  const whole = new SourceMap({ ...map, version: 3, sourceRoot: '' } as never);
  const thin = new SourceMap({ ...map, version: 3, sourceRoot: '', mappings } as never);
  const lines = code.split('\n');
  expect(code.length).toBeGreaterThan(1000);
  for (const [at, line] of lines.entries())
    for (let column = 0; column < line.length; column += 1) {
      const [left, right] = [whole.findEntry(at, column), thin.findEntry(at, column)];
      const place = (entry: typeof left) =>
        'originalLine' in entry && [entry.originalSource, entry.originalLine];
      if (String(place(left)) !== String(place(right)))
        expect(place(right), `${at}:${column}`).toEqual(place(left));
    }
});
