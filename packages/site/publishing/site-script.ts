import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** Modules that also run in a browser, each after those that it imports; the last is the script itself. */
const modules = [
  new URL('../../../reports/words/escape.ts', import.meta.url),
  new URL('../../../reports/words/markup.ts', import.meta.url),
  new URL('../../../reports/words/wording.ts', import.meta.url),
  new URL('../../../reports/run/marks.ts', import.meta.url),
  new URL('../paths.ts', import.meta.url),
  new URL('../difference.ts', import.meta.url),
  new URL('../pages/difference-part.ts', import.meta.url),
  new URL('../browser/site.ts', import.meta.url),
];

/**
 * Returns the modules without their types as one classic script: a browser loads no module from a disk, since a file
 * has no origin.
 */
export function siteScript(): string {
  const text = modules.map(moduleScript).join('');
  return `'use strict';\nconst modules = {};\n${text}`.replace(/[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n');
}

/** Wraps a module in a function of its own, so that no name of one module is seen by another. */
function moduleScript(module: URL): string {
  const plain = stripTypeScriptTypes(readFileSync(module, 'utf8'));
  const exported = [...plain.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)];
  const body = plain
    .replace(/^import \{([^}]*)\} from '([^']+)';/gm, (_, names: string, from: string) => {
      return `const {${names}} = modules['${moduleName(from)}'];`;
    })
    .replace(/^export /gm, '');
  const names = exported.map(([, name]) => name).join(', ');
  return `modules['${moduleName(module.pathname)}'] = (() => {\n${body}\nreturn { ${names} };\n})();\n`;
}

/** Names a module by its file, which no other one here shares. */
function moduleName(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.ts$/, '');
}
