import { globSync, readFileSync } from 'node:fs';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { ruleGroup } from '@candleproof/law/rules/facts';
import { expect, test } from '@playwright/test';

/** Folders that judge, run, watch and report by whatever rules there are. */
const rooms = [
  'packages/law/{judge,relations,reading}',
  ...['packages/check', 'packages/gate/audit', 'packages/proxy', 'packages/site'],
  ...['reports', 'monitors', 'load/page'],
];

const groups = [...new Set([...catalogue.rules, ...catalogue.questions].map(({ id }) => ruleGroup(id)))];
const named = new RegExp(`(['"\`])(${groups.join('|')})/[a-z-]*\\1|\\b(${groups.join('|')})\\)?\\\\/`);

test('no folder but that of the rules knows a rule or a group by its name', () => {
  const sources = rooms
    .flatMap((room) => globSync(`${room}/**/*.ts`))
    .filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  expect(sources.length).toBeGreaterThan(300);
  const listed = sources.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => named.test(line) && !/^\s*(\/\/|\/?\*|import )/.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(listed).toEqual([]);
});
