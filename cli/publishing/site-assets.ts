import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { loadStyles } from '../../reports/load/chart.ts';
import { monitorStyles } from '../../reports/monitor/html/styles.ts';
import { styles } from '../../reports/run/styles.ts';
import { siteStyles } from '../../reports/site/pages/site-styles.ts';
import type { SiteFile } from '../../reports/site/site-records.ts';

const schema = new URL('../../reports/site/site.schema.json', import.meta.url);

/** What runs in a browser as it runs here: the script and all that it imports, below reports/. */
const modules = [
  ...[
    'words/escape',
    'words/markup',
    'words/wording',
    'run/marks',
    'site/paths',
    'site/difference',
    'site/pages/difference-part',
  ],
  'site/browser/site',
];

/** Style sheets, scripts and the schema: the same for every site of a version. */
export function siteAssets(): SiteFile[] {
  return [
    ['assets/site.css', styles + siteStyles],
    ['assets/load.css', loadStyles],
    ['assets/monitor.css', monitorStyles],
    ['api/schema.json', readFileSync(schema, 'utf8')],
    ...modules.map((each): SiteFile => [`assets/${each}.js`, moduleText(each)]),
  ];
}

/** In a clone the types are taken off, in the package they are gone. */
function moduleText(name: string): string {
  const source = new URL(`../../reports/${name}.ts`, import.meta.url);
  if (!existsSync(source))
    return withoutMap(readFileSync(new URL(`../../reports/${name}.js`, import.meta.url), 'utf8'));
  const plain = stripTypeScriptTypes(readFileSync(source, 'utf8'));
  return plain
    .replace(/(from '\.[^']*)\.ts'/g, "$1.js'")
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n');
}

function withoutMap(text: string): string {
  return text.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
}
