import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';

type Resolved = ReturnType<Parameters<typeof registerHooks>[0]['resolve'] & object>;

/** Replacements of imports: importer, module, replacement. A star means every importer except the replacement. */
const standIns: readonly (readonly [from: string, to: string, instead: string])[] = [
  ['*', 'packages/law/worlds/recorded.ts', 'tools/bench/mutation/remembered.ts'],
  [
    'packages/law/worlds/testing/expectations.ts',
    'packages/law/worlds/breach-case.ts',
    'tools/bench/mutation/staged.ts',
  ],
  [
    'packages/law/worlds/breach-case.ts',
    'packages/document/spec/load-spec.ts',
    'tools/bench/mutation/remembered.ts',
  ],
  ['packages/law/judge/judge.ts', 'packages/law/relations/evidence.ts', 'tools/bench/mutation/remembered.ts'],
  ['packages/law/judge/judge.ts', 'packages/law/rules/catalogue.ts', 'tools/bench/mutation/catalogue.ts'],
];

/**
 * The modules of a sandbox with their imports; reloads some of them. `root` is the sandbox's URL with a trailing slash.
 */
export class Modules {
  readonly root: string;
  readonly #importers = new Map<string, Set<string>>();
  readonly #sources = new Map<string, string>();
  #anew: ReadonlySet<string> = new Set();
  #round = 0;

  constructor(root: string) {
    this.root = root;
    registerHooks({
      resolve: (specifier, context, next) =>
        this.#resolved(specifier, context.parentURL ?? '', () => next(specifier, context)),
      load: (url, context, next) =>
        this.#isOurs(url)
          ? { format: 'module', source: this.#readSource(this.#exportName(url)), shortCircuit: true }
          : next(url, context),
    });
  }

  /** Imports a file of the sandbox by its name in it. */
  import(name: string): Promise<unknown> {
    return import(`${this.root}${name}`);
  }

  /** Returns the file and all files that import it directly or indirectly. */
  importersAndSelf(name: string): Set<string> {
    const found = new Set([name]);
    for (const file of found) for (const importer of this.#importers.get(file) ?? []) found.add(importer);
    return found;
  }

  /** Reloads these files, and only these, during `work`. */
  async withReloaded<Value>(names: ReadonlySet<string>, work: () => Promise<Value>): Promise<Value> {
    this.#anew = names;
    this.#round++;
    try {
      return await work();
    } finally {
      this.#anew = new Set();
    }
  }

  #resolved(specifier: string, parentUrl: string, next: () => Resolved): Resolved {
    const parent = this.#exportName(parentUrl);
    const isCollected = specifier === '@playwright/test' && this.#isOurs(parentUrl);
    if (isCollected && parent !== 'tools/bench/mutation/collected.ts') {
      return { url: `${this.root}tools/bench/mutation/collected.ts`, shortCircuit: true };
    }
    const found = this.#findDoor(specifier, parentUrl) ?? next();
    if (!this.#isOurs(found.url)) return found;
    const name = findReplacement(parent, this.#exportName(found.url));
    if (this.#isOurs(parentUrl))
      this.#importers.set(name, (this.#importers.get(name) ?? new Set()).add(parent));
    return { ...found, url: `${this.root}${name}${this.#anew.has(name) ? `?round=${this.#round}` : ''}` };
  }

  /** Returns a door of a package in the sandbox; Node would follow its link out of it. */
  #findDoor(specifier: string, parentUrl: string): Resolved | undefined {
    const [, name, door] = /^@candleproof\/(\w+)\/(.*)$/.exec(specifier) ?? [];
    if (name === undefined || !this.#isOurs(parentUrl)) return undefined;
    const folder = name === 'testing' ? 'tools' : 'packages';
    return { url: `${this.root}${folder}/${name}/${door}.ts`, shortCircuit: true };
  }

  #isOurs(url: string): boolean {
    return url.startsWith(this.root) && /\.ts(\?|$)/.test(url) && !url.includes('/node_modules/');
  }

  #exportName(url: string): string {
    return url.slice(this.root.length).replace(/\?.*/, '');
  }

  #readSource(name: string): string {
    const source =
      this.#sources.get(name) ?? stripTypeScriptTypes(readFileSync(new URL(name, this.root), 'utf8'));
    this.#sources.set(name, source);
    return source;
  }
}

function findReplacement(parent: string, name: string): string {
  const standIn = standIns.find(
    ([from, to, instead]) => to === name && parent !== instead && (from === '*' || from === parent),
  );
  return standIn ? standIn[2] : name;
}
