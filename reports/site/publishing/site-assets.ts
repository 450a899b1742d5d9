import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { loadStyles } from '../../load/chart.ts';
import { monitorStyles } from '../../monitor/html/styles.ts';
import { styles } from '../../run/styles.ts';
import { siteStyles } from '../pages/site-styles.ts';
import type { SiteFile } from '../site-records.ts';

const schema = new URL('../site.schema.json', import.meta.url);

/** Modules that run in a browser as they run here, without their types: the script and its imports, below reports/. */
const modules = [
  new URL('../../words/escape.ts', import.meta.url),
  new URL('../../words/markup.ts', import.meta.url),
  new URL('../../words/wording.ts', import.meta.url),
  new URL('../../run/marks.ts', import.meta.url),
  new URL('../paths.ts', import.meta.url),
  new URL('../difference.ts', import.meta.url),
  new URL('../pages/difference-part.ts', import.meta.url),
  new URL('../browser/site.ts', import.meta.url),
];

/** Style sheets, scripts and the schema: the same for every site of a version. */
export function siteAssets(): SiteFile[] {
  return [
    ['assets/site.css', styles + siteStyles],
    ['assets/load.css', loadStyles],
    ['assets/monitor.css', monitorStyles],
    ['api/schema.json', readFileSync(schema, 'utf8')],
    ...modules.map(scriptFile),
  ];
}

function scriptFile(module: URL): SiteFile {
  const [, name = ''] = /.*\/reports\/(.*)\.ts$/.exec(module.pathname) ?? [];
  const plain = stripTypeScriptTypes(readFileSync(module, 'utf8'));
  const text = plain
    .replace(/(from '\.[^']*)\.ts'/g, "$1.js'")
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n');
  return [`assets/${name}.js`, text];
}
